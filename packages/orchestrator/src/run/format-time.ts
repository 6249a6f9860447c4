/** `YYYY-MM-DD HH:MM:SS` and the name of its zone, as threads are told times: `2026-03-04 05:06:07 UTC`. */
export function formatTime(time: Date, timeZone: string): string {
  const clock = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  const names = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' });
  const zone = names.formatToParts(time).find(({ type }) => type === 'timeZoneName');
  return `${clock.format(time)} ${zone?.value ?? timeZone}`;
}
