/**
 * What printers report (`printer-state-reasons` of IPP) as sentences for whoever stands beside them. Reasons come with
 * `-error`, `-warning` or `-report` behind them; of the last two nothing has to be done.
 */
const sentences: Readonly<Record<string, string>> = {
  'media-empty': 'The printer is out of paper. Load paper.',
  'media-needed': 'The printer needs paper of another size, or more of it. Load it.',
  'media-jam': 'Paper is stuck in the printer. Open it and take the paper out.',
  'marker-supply-empty': 'The ribbon, ink or toner is used up. Put in a new one.',
  'marker-supply-missing': 'The ribbon, ink or toner is missing. Put it in.',
  'toner-empty': 'The toner is used up. Put in a new one.',
  'marker-waste-full': 'The waste container of the printer is full. Empty it.',
  'input-tray-missing': 'The paper tray is missing. Put it in.',
  'output-area-full': 'The tray of finished prints is full. Empty it.',
  'output-tray-missing': 'The tray for finished prints is missing. Put it in.',
  'cover-open': 'The cover of the printer is open. Close it.',
  'door-open': 'A door of the printer is open. Close it.',
  'interlock-open': 'A cover of the printer is open. Close it.',
  'fuser-over-temp': 'The printer is too hot. Let it cool down.',
  'fuser-under-temp': 'The printer is warming up.',
  paused: 'The printer is paused. Start it again.',
  shutdown: 'The printer is switched off or not connected. Switch it on.',
  'offline-report': 'The printer is not connected. Check its cable and network.',
  offline: 'The printer is not connected. Check its cable and network.',
  'connecting-to-device': 'The print server is connecting to the printer.',
  'timed-out': 'The printer does not answer its print server. Switch it off and on.',
  'spool-area-full': 'The memory of the printer is full. Switch it off and on.',
  'media-low': 'The paper is running low.',
  'marker-supply-low': 'The ribbon, ink or toner is running low.',
  'toner-low': 'The toner is running low.',
  'output-area-almost-full': 'The tray of finished prints is almost full.',
};

const nothing = new Set([
  'none',
  '',
  'moving-to-paused',
  'cups-waiting-for-job-completed',
  'cups-remote-printer',
]);
const severity = /-(error|warning|report)$/;

/** One sentence for each reason that somebody has to know, the others left out. */
export function sentencesOf(reasons: readonly string[]): string[] {
  const told = reasons
    .filter((reason) => !nothing.has(reason))
    .map((reason) => {
      const plain = reason.replace(severity, '');
      return sentences[reason] ?? sentences[plain] ?? `The printer reports “${plain.replaceAll('-', ' ')}”.`;
    });
  return [...new Set(told)];
}
