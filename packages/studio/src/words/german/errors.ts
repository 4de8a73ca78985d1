import type { GuiseError } from '@guise/client/guise-error.ts';
import type { ErrorCode } from '@guise/contract/error-codes.ts';
import { sayOfServer } from '../say-of-server.ts';

/** What an error means, where nothing is known of the case. */
const meanings: Partial<Record<ErrorCode | 'NETWORK_ERROR', string>> = {
  NETWORK_ERROR:
    'Der Server ist nicht zu erreichen. Prüfen Sie die Verbindung, und versuchen Sie es noch einmal.',
  INVALID_JSON: 'Die Anfrage war nicht lesbar.',
  INVALID_IMAGE:
    'Ein Bild ist leer, beschädigt, zu groß (über 20 MB oder 25 Megapixel), zu schmal oder weder PNG noch JPEG noch WebP.',
  INVALID_VIDEO:
    'Ein Video ist leer, beschädigt, zu groß (über 50 MB), länger als 10 s, kürzer als 0,5 s oder weder MP4 noch MOV noch WebM.',
  UNAUTHORIZED: 'Die Anmeldung gilt nicht mehr. Melden Sie sich noch einmal an.',
  INSUFFICIENT_CREDITS: 'Die Credits des Kontos oder das Budget des Schlüssels reichen nicht aus.',
  SIGN_IN_LINK_USED: 'Mit diesem Anmeldelink hat sich schon jemand angemeldet: Er gilt nur einmal.',
  SIGN_IN_LINK_EXPIRED: 'Der Anmeldelink ist älter als 24 Stunden.',
  EVENT_BUDGET_SPENT: 'Das Budget des Events reicht nicht aus.',
  LINK_NOT_VALID: 'Der Link zur Datei ist abgelaufen oder wurde verändert.',
  SCOPE_MISSING: 'Dazu fehlt eine Berechtigung.',
  KEY_LIMITED: 'Das kann ein Schlüssel mit Budget oder Ablaufdatum nicht.',
  SESSION_NEEDED: 'Das geht nur, wenn Sie im Studio angemeldet sind.',
  WRONG_PASSWORD: 'Das Passwort fehlt oder ist falsch.',
  EVENT_NOT_BEGUN: 'Das Event hat noch nicht begonnen.',
  NOT_FOUND: 'Das gibt es nicht oder nicht mehr.',
  JOB_NOT_FOUND: 'Diesen Auftrag gibt es nicht.',
  ACCOUNT_NOT_FOUND: 'Dieses Konto gibt es nicht.',
  PACK_NOT_FOUND: 'Dieses Paket gibt es auf diesem Rechner nicht.',
  BACKUP_NOT_FOUND: 'Diese Sicherung gibt es auf diesem Rechner nicht.',
  MODEL_NOT_FOUND: 'Dieses Modell gibt es nicht.',
  KEY_NOT_FOUND: 'Diesen Schlüssel gibt es nicht, oder er wurde widerrufen.',
  SESSION_NOT_FOUND: 'Diese Sitzung gibt es nicht mehr.',
  ALIAS_NOT_FOUND: 'Diesen Alias gibt es nicht.',
  WEBHOOK_DELIVERY_NOT_FOUND: 'Diese Zustellung gibt es nicht.',
  WEBHOOK_ENDPOINT_NOT_FOUND: 'Diesen Endpunkt gibt es nicht.',
  PHOTO_SET_NOT_FOUND: 'Dieses Fotoset gibt es nicht.',
  PHOTO_NOT_FOUND: 'Dieses Foto gibt es im Fotoset nicht.',
  SCENE_NOT_FOUND: 'Diese Szene gibt es nicht.',
  QA_RUN_NOT_FOUND: 'Diesen QA-Lauf gibt es nicht.',
  QUICK_TEST_NOT_FOUND: 'Diesen Schnelltest-Link gibt es nicht.',
  EVENT_NOT_FOUND: 'Dieses Event gibt es nicht.',
  PRINTER_NOT_FOUND: 'Diesen Drucker gibt es nicht.',
  PRINT_NOT_FOUND: 'Diesen Ausdruck gibt es nicht.',
  FILE_NOT_FOUND: 'Die Datei gibt es nicht, oder sie wurde gelöscht.',
  BACKUP_UNAVAILABLE: 'Die Daten dieser Installation liegen in PostgreSQL: Guise sichert sie nicht selbst.',
  BACKUP_EXISTS: 'Auf diesem Rechner gibt es eine andere Sicherung mit diesem Namen.',
  RESTART_UNAVAILABLE:
    'Diese Installation hat mehrere Prozesse oder eine eigene Engine-Datei (GUISE_ENGINES): Das geht nur dort, wo die Prozesse laufen.',
  ACCOUNT_EXISTS: 'Es gibt schon ein Konto mit dieser E-Mail-Adresse.',
  FILTER_IN_USE: 'Aliasse verweisen auf diesen Filter.',
  SCENE_IN_USE: 'Eigene Filter verwenden diese Szene.',
  EVENT_NOT_ERASED: 'Das Event hat noch Bilder, Gäste oder Einwilligungen: Löschen Sie diese zuerst.',
  INPUTS_DELETED:
    'Der Auftrag lässt sich nicht wiederholen: Seine Fotos wurden gelöscht, als er endete. Starten Sie ihn neu.',
  JOB_NOT_FAILED: 'Der Auftrag ist nicht fehlgeschlagen: Es gibt nichts zu wiederholen.',
  LIMIT_REACHED: 'Mehr davon darf das Konto nicht haben: Löschen Sie zuerst etwas.',
  PHOTO_SET_READ_ONLY: 'Das Fotoset gehört zum Server und lässt sich nicht ändern.',
  NOTHING_TO_UNDO: 'Es gibt keinen früheren Stand mehr.',
  CHECKS_WAITING: 'Die Prüfungen laufen noch.',
  CHECKS_FAILED: 'Diese Version kann nicht funktionieren und lässt sich deshalb nicht live schalten.',
  NO_PRINTER: 'Das Event hat keinen Drucker des Kontos: Die Fotobox druckt selbst.',
  NO_MAIL:
    'Das Event verschickt keine E-Mails, oder die Installation hat keinen Mailserver (GUISE_SMTP_URL).',
  NO_SAFE_FILTER: 'Der Alias hat keinen Ersatzfilter.',
  WEBHOOK_ENDPOINT_DISABLED: 'Der Endpunkt ist deaktiviert: Aktivieren Sie ihn zuerst.',
  WEBHOOK_SECRET_ROLLED: 'Das Geheimnis wurde erneuert; es wird nur einmal angezeigt.',
  JOB_EXPIRED: 'Das Ergebnis ist abgelaufen und wurde gelöscht.',
  QUICK_TEST_ENDED: 'Der Schnelltest-Link ist abgelaufen, oder sein Filter wurde gelöscht.',
  EVENT_ENDED: 'Das Event ist beendet, geschlossen oder gelöscht.',
  CHANGED_ELSEWHERE: 'Es wurde inzwischen an anderer Stelle geändert. Laden Sie es neu.',
  PAYLOAD_TOO_LARGE: 'Die gesendeten Daten sind zu groß.',
  VALIDATION_ERROR: 'Eine Angabe fehlt oder stimmt nicht.',
  OFFER_NOT_FOUND: 'Dieses Angebot hat das Event nicht.',
  FILTER_NOT_FOUND: 'Diesen Filter gibt es nicht.',
  FILTER_BLOCKED: 'Diesen Filter gibt es hier nicht: Er ist nur für eine Person oder nur für Gruppen.',
  FILTER_TYPE_MISMATCH: 'Der Filter ist für das andere Verfahren gemacht (Face-Swap oder Multi-Swap).',
  WORKFLOW_FETCH_FAILED: 'Den Filter gibt es nicht, oder sein Workflow läuft hier nicht.',
  JOB_FAILED: 'Das Bild ist nicht gelungen; die Credits wurden erstattet.',
  INVALID_VIDEO_MODEL: 'Dieses Videomodell gibt es hier nicht.',
  INVALID_ASPECT_RATIO_FOR_MODEL: 'Dieses Format hat das Modell nicht.',
  INVALID_DURATION_FOR_MODEL: 'Diese Länge hat das Modell nicht.',
  ADDRESS_NOT_REACHED: 'Unter dieser Adresse antwortet weder Guise noch eine Engine.',
  PRINTER_NOT_REACHED:
    'Unter der Adresse antwortet kein IPP-Drucker, oder er nimmt nicht an, was Guise schickt.',
  MAIL_NOT_SENT: 'Der Mailserver hat die Testmail abgelehnt oder antwortet nicht.',
  URL_NOT_ALLOWED:
    'Die Adresse ist keine öffentliche http- oder https-Adresse, oder ihr Host wurde nicht gefunden.',
  RATE_LIMITED: 'Zu viele Anfragen. Versuchen Sie es in einem Augenblick noch einmal.',
  QUICK_TEST_USED_UP: 'Alle Läufe des Schnelltest-Links sind verbraucht.',
  PRINT_LIMIT_REACHED: 'Für diesen Gast oder dieses Event sind alle Ausdrucke verbraucht.',
  INTERNAL_ERROR: 'Auf dem Server ist ein Fehler aufgetreten. Einzelheiten stehen in seinem Protokoll.',
  OVERLOADED: 'Der Server ist überlastet. Versuchen Sie es in einem Augenblick noch einmal.',
  JOB_NOT_ENDED: 'Der Auftrag ist noch nicht fertig. Er läuft weiter.',
  QUEUE_FULL: 'Die Warteschlange ist voll. Versuchen Sie es in einem Augenblick noch einmal.',
  QUICK_TEST_PAUSED: 'Das Konto des Schnelltest-Links kann gerade keinen Lauf starten.',
  EVENT_PAUSED: 'Das Event ist pausiert, oder sein Konto kann gerade keinen Lauf starten.',
  STORAGE_UNAVAILABLE: 'Der Server erreicht seinen Speicher nicht, oder seine Festplatte ist voll.',
};

/** Of these the sentence of the server names what is wrong. */
const withDetails: readonly string[] = [
  'ADDRESS_NOT_REACHED',
  'JOB_FAILED',
  'MAIL_NOT_SENT',
  'PRINTER_NOT_REACHED',
  'SCOPE_MISSING',
  'VALIDATION_ERROR',
  'WORKFLOW_FETCH_FAILED',
];

/** An error of the server in German: its own sentence, else what its code means; null where neither is known. */
export function errorInGerman({ code, message }: GuiseError): string | null {
  const meaning = (meanings as Partial<Record<string, string>>)[code];
  if (meaning === undefined) return null;
  const said = sayOfServer(message);
  if (withDetails.includes(code)) return `${meaning} (${said})`;
  return said === message ? meaning : said;
}
