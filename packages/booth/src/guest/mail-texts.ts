/** The words of the mail form on the guest’s page, in every language that pages of events are in. */
export interface MailTexts {
  open: string;
  address: string;
  consent: string;
  send: string;
  sent: string;
  failed: string;
}

export const mailTexts: Readonly<Record<string, MailTexts>> = {
  en: {
    open: 'Send by mail',
    address: 'Email address',
    consent: 'I agree that my address is used to send me this picture. It is deleted with the picture.',
    send: 'Send',
    sent: 'On its way to your mailbox.',
    failed: 'That did not work. Check the address.',
  },
  de: {
    open: 'Per Mail senden',
    address: 'E-Mail-Adresse',
    consent:
      'Ich bin einverstanden, dass meine Adresse genutzt wird, um mir dieses Bild zu senden. Sie wird mit dem Bild gelöscht.',
    send: 'Senden',
    sent: 'Unterwegs in Ihr Postfach.',
    failed: 'Das hat nicht geklappt. Prüfen Sie die Adresse.',
  },
  fr: {
    open: 'Envoyer par e-mail',
    address: 'Adresse e-mail',
    consent:
      'J’accepte que mon adresse soit utilisée pour m’envoyer cette photo. Elle est supprimée avec la photo.',
    send: 'Envoyer',
    sent: 'En route vers votre boîte.',
    failed: 'Cela n’a pas fonctionné. Vérifiez l’adresse.',
  },
  es: {
    open: 'Enviar por correo',
    address: 'Correo electrónico',
    consent: 'Acepto que se use mi dirección para enviarme esta foto. Se borra junto con la foto.',
    send: 'Enviar',
    sent: 'En camino a tu buzón.',
    failed: 'No ha funcionado. Comprueba la dirección.',
  },
  it: {
    open: 'Invia per e-mail',
    address: 'Indirizzo e-mail',
    consent: 'Accetto che il mio indirizzo sia usato per inviarmi questa foto. Viene cancellato con la foto.',
    send: 'Invia',
    sent: 'In arrivo nella tua casella.',
    failed: 'Non ha funzionato. Controlla l’indirizzo.',
  },
  pt: {
    open: 'Enviar por e-mail',
    address: 'Endereço de e-mail',
    consent:
      'Aceito que o meu endereço seja usado para me enviar esta fotografia. É apagado com a fotografia.',
    send: 'Enviar',
    sent: 'A caminho da sua caixa de correio.',
    failed: 'Não funcionou. Verifique o endereço.',
  },
  nl: {
    open: 'Per e-mail sturen',
    address: 'E-mailadres',
    consent:
      'Ik ga ermee akkoord dat mijn adres wordt gebruikt om mij deze foto te sturen. Het wordt met de foto verwijderd.',
    send: 'Versturen',
    sent: 'Onderweg naar je mailbox.',
    failed: 'Dat is niet gelukt. Controleer het adres.',
  },
  pl: {
    open: 'Wyślij e-mailem',
    address: 'Adres e-mail',
    consent:
      'Zgadzam się na użycie mojego adresu do wysłania mi tego zdjęcia. Zostanie usunięty razem ze zdjęciem.',
    send: 'Wyślij',
    sent: 'W drodze do Twojej skrzynki.',
    failed: 'Nie udało się. Sprawdź adres.',
  },
  tr: {
    open: 'E-postayla gönder',
    address: 'E-posta adresi',
    consent:
      'Adresimin bu fotoğrafı bana göndermek için kullanılmasını kabul ediyorum. Fotoğrafla birlikte silinir.',
    send: 'Gönder',
    sent: 'Posta kutunuza gidiyor.',
    failed: 'Olmadı. Adresi kontrol edin.',
  },
  ja: {
    open: 'メールで送る',
    address: 'メールアドレス',
    consent: 'この写真を送るためにアドレスが使われることに同意します。アドレスは写真と一緒に削除されます。',
    send: '送信',
    sent: 'メールをお送りしています。',
    failed: '送信できませんでした。アドレスを確認してください。',
  },
  ar: {
    open: 'إرسال بالبريد',
    address: 'البريد الإلكتروني',
    consent: 'أوافق على استخدام عنواني لإرسال هذه الصورة إليّ. يُحذف العنوان مع الصورة.',
    send: 'إرسال',
    sent: 'في الطريق إلى بريدك.',
    failed: 'لم ينجح ذلك. تحقق من العنوان.',
  },
};
