/** `YYYY-MM-DD HH:MM:SS` where people are. @see decision E18 */
export function formatTime(time: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone }).format(time);
}
