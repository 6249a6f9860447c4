/**
 * A time in ISO 8601, with its zone: as it stands, or in UTC where it has none, as earlier programs wrote it. Null for
 * what is no time.
 */
export function toIsoTime(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  const hasZone = /(?:[zZ]|[+-]\d\d:?\d\d)$/.test(text);
  const moment = Date.parse(hasZone ? text : `${text.replace(' ', 'T')}Z`);
  if (Number.isNaN(moment)) return null;
  return hasZone ? text : new Date(moment).toISOString();
}
