import type { GuestLanguage } from './guest-languages.ts';

/** What the server says to guests: in mails, and by questions that it adds to those of an event. */
export interface GuestSentences {
  /** The question whether a picture may be in the gallery of an event. */
  galleryQuestion: string;
  mail: {
    open: string;
    /** Why somebody gets this mail, and that there will be no other. */
    why(event: string): string;
  };
}

export const guestSentences: Readonly<Record<GuestLanguage, GuestSentences>> = {
  en: {
    galleryQuestion: 'My picture may be shown in the gallery on the web',
    mail: {
      open: 'Open my picture',
      why: (event) =>
        `You receive this one mail because your address was entered for a picture from ${event}. Your address is deleted with the picture.`,
    },
  },
  de: {
    galleryQuestion: 'Mein Bild darf in der Galerie im Internet gezeigt werden',
    mail: {
      open: 'Mein Bild öffnen',
      why: (event) =>
        `Du bekommst diese eine Mail, weil deine Adresse für ein Bild von ${event} eingegeben wurde. Sie wird mit deinem Bild gelöscht.`,
    },
  },
  fr: {
    galleryQuestion: 'Mon image peut être montrée dans la galerie sur Internet',
    mail: {
      open: 'Ouvrir mon image',
      why: (event) =>
        `Vous recevez ce seul message parce que votre adresse a été saisie pour une image de ${event}. Elle est supprimée avec votre image.`,
    },
  },
  es: {
    galleryQuestion: 'Mi imagen puede mostrarse en la galería de Internet',
    mail: {
      open: 'Abrir mi imagen',
      why: (event) =>
        `Recibes este único mensaje porque tu dirección se introdujo para una imagen de ${event}. Se borra junto con tu imagen.`,
    },
  },
  it: {
    galleryQuestion: 'La mia immagine può essere mostrata nella galleria su Internet',
    mail: {
      open: 'Apri la mia immagine',
      why: (event) =>
        `Ricevi questo unico messaggio perché il tuo indirizzo è stato inserito per un’immagine di ${event}. Viene eliminato insieme all’immagine.`,
    },
  },
  pt: {
    galleryQuestion: 'A minha imagem pode ser mostrada na galeria na internet',
    mail: {
      open: 'Abrir a minha imagem',
      why: (event) =>
        `Você recebe esta única mensagem porque o seu endereço foi digitado para uma imagem de ${event}. Ele é apagado com a imagem.`,
    },
  },
  nl: {
    galleryQuestion: 'Mijn afbeelding mag in de galerij op internet worden getoond',
    mail: {
      open: 'Mijn afbeelding openen',
      why: (event) =>
        `Je krijgt deze ene mail omdat je adres voor een afbeelding van ${event} is ingevoerd. Het wordt samen met je afbeelding verwijderd.`,
    },
  },
  pl: {
    galleryQuestion: 'Mój obraz może być pokazany w galerii w internecie',
    mail: {
      open: 'Otwórz mój obraz',
      why: (event) =>
        `Otrzymujesz tę jedną wiadomość, ponieważ podano Twój adres, aby wysłać obraz (${event}). Zostanie usunięty razem z obrazem.`,
    },
  },
  tr: {
    galleryQuestion: 'Resmim internetteki galeride gösterilebilir',
    mail: {
      open: 'Resmimi aç',
      why: (event) =>
        `Bu tek iletiyi, adresiniz ${event} etkinliğindeki bir resim için girildiğinden alıyorsunuz. Adresiniz resminizle birlikte silinir.`,
    },
  },
  ja: {
    galleryQuestion: '私の画像をインターネットのギャラリーで公開してもよい',
    mail: {
      open: '画像を開く',
      why: (event) =>
        `このメールは、${event}の画像のためにアドレスが入力されたため、一度だけお送りしています。アドレスは画像とともに削除されます。`,
    },
  },
  ar: {
    galleryQuestion: 'يمكن عرض صورتي في المعرض على الإنترنت',
    mail: {
      open: 'فتح صورتي',
      why: (event) =>
        `تصلك هذه الرسالة الوحيدة لأن عنوانك أُدخل من أجل صورة من ${event}. يُحذف عنوانك مع صورتك.`,
    },
  },
};
