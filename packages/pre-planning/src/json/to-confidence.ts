/** A number with what may follow it: a sign of percent, or how many it is out of. */
const leading =
  /^(?:[~≈約]|about\s|ca\.\s?)?\s*(-?\d*\.?\d+)\s*(?:(%|percent|パーセント)|\/\s*(\d+))?(.*)$/is;
const enclosed = /\(\s*(\d*\.?\d+)\s*(%?)\s*\)$/;

/**
 * From 0 to 1, whether written as a number, as a text that begins or ends with one, or as a percentage; 0 for anything
 * else. A number from 10 to 100 is a percentage without its sign; others are brought into the range. @see decision E2
 */
export function toConfidence(value: unknown): number {
  const read = typeof value === 'number' ? value : typeof value === 'string' ? readShare(value) : 0;
  if (!Number.isFinite(read)) return 0;
  return Math.min(1, Math.max(0, read >= 10 && read <= 100 ? read / 100 : read));
}

function readShare(written: string): number {
  const text = written
    .normalize('NFKC')
    .trim()
    .replace(/^(-?\d*),(?=\d)/, '$1.');
  const [, digits, percent, whole, rest = ''] = leading.exec(text) ?? [];
  if (digits !== undefined) {
    const share = Number(digits) / (percent === undefined ? Number(whole ?? 1) : 100);
    // "4 out of 5" and "3 things are open" say no share.
    return share > 1 && rest.trim() !== '' ? 0 : share;
  }
  const [, inner, sign] = enclosed.exec(text) ?? [];
  return inner === undefined ? 0 : Number(inner) / (sign === '%' ? 100 : 1);
}
