import type { GuestLanguage } from './guest-languages.ts';

/** What is said to guests outside of the pages: in mails, on prints, and by questions that the server adds. */
export interface GuestSentences {
  /** The question whether a picture may be in the gallery of an event. */
  galleryQuestion: string;
  /** Beside a QR code on paper. */
  scanPrint: string;
  mail: {
    subject(event: string): string;
    ready: string;
    open: string;
    kept(when: string): string;
    /** Why somebody gets this mail, and that there will be no other. */
    why(event: string): string;
  };
}

export const guestSentences: Readonly<Record<GuestLanguage, GuestSentences>> = {
  en: {
    galleryQuestion: 'My picture may be shown in the gallery on the web',
    scanPrint: 'Scan for your picture',
    mail: {
      subject: (event) => `Your picture from ${event}`,
      ready: 'Your picture is ready.',
      open: 'Open my picture',
      kept: (when) => `It is kept until ${when}. You can delete it there at any time.`,
      why: (event) =>
        `You receive this one mail because your address was entered at the photo booth of ${event}. Your address is deleted with your picture.`,
    },
  },
  de: {
    galleryQuestion: 'Mein Bild darf in der Galerie im Internet gezeigt werden',
    scanPrint: 'Scannen und Bild abholen',
    mail: {
      subject: (event) => `Dein Bild von ${event}`,
      ready: 'Dein Bild ist fertig.',
      open: 'Mein Bild öffnen',
      kept: (when) => `Es bleibt bis ${when}. Dort kannst du es jederzeit löschen.`,
      why: (event) =>
        `Du bekommst diese eine Mail, weil deine Adresse an der Fotobox von ${event} eingegeben wurde. Sie wird mit deinem Bild gelöscht.`,
    },
  },
  fr: {
    galleryQuestion: 'Mon image peut être montrée dans la galerie sur Internet',
    scanPrint: 'Scannez pour obtenir votre image',
    mail: {
      subject: (event) => `Votre image de ${event}`,
      ready: 'Votre image est prête.',
      open: 'Ouvrir mon image',
      kept: (when) => `Elle est conservée jusqu’au ${when}. Vous pouvez l’y supprimer à tout moment.`,
      why: (event) =>
        `Vous recevez ce seul message parce que votre adresse a été saisie au photobooth de ${event}. Elle est supprimée avec votre image.`,
    },
  },
  es: {
    galleryQuestion: 'Mi imagen puede mostrarse en la galería de Internet',
    scanPrint: 'Escanea para ver tu imagen',
    mail: {
      subject: (event) => `Tu imagen de ${event}`,
      ready: 'Tu imagen está lista.',
      open: 'Abrir mi imagen',
      kept: (when) => `Se guarda hasta el ${when}. Allí puedes borrarla en cualquier momento.`,
      why: (event) =>
        `Recibes este único mensaje porque tu dirección se introdujo en el fotomatón de ${event}. Se borra junto con tu imagen.`,
    },
  },
  it: {
    galleryQuestion: 'La mia immagine può essere mostrata nella galleria su Internet',
    scanPrint: 'Inquadra per la tua immagine',
    mail: {
      subject: (event) => `La tua immagine di ${event}`,
      ready: 'La tua immagine è pronta.',
      open: 'Apri la mia immagine',
      kept: (when) => `Viene conservata fino a ${when}. Lì puoi eliminarla in qualsiasi momento.`,
      why: (event) =>
        `Ricevi questo unico messaggio perché il tuo indirizzo è stato inserito al photo booth di ${event}. Viene eliminato insieme all’immagine.`,
    },
  },
  pt: {
    galleryQuestion: 'A minha imagem pode ser mostrada na galeria na internet',
    scanPrint: 'Leia o código para ver a sua imagem',
    mail: {
      subject: (event) => `A sua imagem de ${event}`,
      ready: 'A sua imagem está pronta.',
      open: 'Abrir a minha imagem',
      kept: (when) => `Ela fica guardada até ${when}. Lá você pode apagá-la a qualquer momento.`,
      why: (event) =>
        `Você recebe esta única mensagem porque o seu endereço foi digitado na cabine de fotos de ${event}. Ele é apagado com a imagem.`,
    },
  },
  nl: {
    galleryQuestion: 'Mijn afbeelding mag in de galerij op internet worden getoond',
    scanPrint: 'Scan voor je afbeelding',
    mail: {
      subject: (event) => `Je afbeelding van ${event}`,
      ready: 'Je afbeelding is klaar.',
      open: 'Mijn afbeelding openen',
      kept: (when) => `Ze wordt bewaard tot ${when}. Daar kun je haar altijd verwijderen.`,
      why: (event) =>
        `Je krijgt deze ene mail omdat je adres bij de fotobooth van ${event} is ingevoerd. Het wordt samen met je afbeelding verwijderd.`,
    },
  },
  pl: {
    galleryQuestion: 'Mój obraz może być pokazany w galerii w internecie',
    scanPrint: 'Zeskanuj i odbierz swój obraz',
    mail: {
      subject: (event) => `Twój obraz: ${event}`,
      ready: 'Twój obraz jest gotowy.',
      open: 'Otwórz mój obraz',
      kept: (when) => `Jest przechowywany do: ${when}. Możesz go tam usunąć w każdej chwili.`,
      why: (event) =>
        `Otrzymujesz tę jedną wiadomość, ponieważ w fotobudce (${event}) podano Twój adres. Zostanie usunięty razem z obrazem.`,
    },
  },
  tr: {
    galleryQuestion: 'Resmim internetteki galeride gösterilebilir',
    scanPrint: 'Resminiz için kodu okutun',
    mail: {
      subject: (event) => `${event}: resminiz`,
      ready: 'Resminiz hazır.',
      open: 'Resmimi aç',
      kept: (when) => `Şu tarihe kadar saklanır: ${when}. Orada istediğiniz zaman silebilirsiniz.`,
      why: (event) =>
        `Bu tek iletiyi, adresiniz ${event} fotoğraf kabininde girildiği için alıyorsunuz. Adresiniz resminizle birlikte silinir.`,
    },
  },
  ja: {
    galleryQuestion: '私の画像をインターネットのギャラリーで公開してもよい',
    scanPrint: 'スキャンして画像を受け取る',
    mail: {
      subject: (event) => `${event}の画像`,
      ready: '画像ができました。',
      open: '画像を開く',
      kept: (when) => `${when}まで保存されます。そのページからいつでも削除できます。`,
      why: (event) =>
        `このメールは、${event}のフォトブースでアドレスが入力されたため、一度だけお送りしています。アドレスは画像とともに削除されます。`,
    },
  },
  ar: {
    galleryQuestion: 'يمكن عرض صورتي في المعرض على الإنترنت',
    scanPrint: 'امسح الرمز للحصول على صورتك',
    mail: {
      subject: (event) => `صورتك من ${event}`,
      ready: 'صورتك جاهزة.',
      open: 'فتح صورتي',
      kept: (when) => `تُحفظ حتى ${when}. يمكنك حذفها هناك في أي وقت.`,
      why: (event) =>
        `تصلك هذه الرسالة الوحيدة لأن عنوانك أُدخل في كشك التصوير في ${event}. يُحذف عنوانك مع صورتك.`,
    },
  },
};
