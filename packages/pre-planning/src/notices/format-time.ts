/** `YYYY-MM-DD HH:MM:SS` where people are, and the name of its zone. @see decision E18 */
export function formatTime(time: Date, timeZone: string): string {
  const clock = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  const names = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' });
  const zone = names.formatToParts(time).find(({ type }) => type === 'timeZoneName');
  return `${clock.format(time)} ${zone?.value ?? timeZone}`;
}
