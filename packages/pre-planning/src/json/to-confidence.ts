const prefix = /^(?:[~≈約]|about\s|ca\.\s?)\s*/i;
/** Before three digits it only parts thousands. */
const decimalComma = /^-?(?:\d*,(?=\d{1,2}(?!\d))|0?,(?=\d))/;
const plainNumber = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;
/** What says a share with words around it, too: a decimal, a percentage, or how many it is out of. */
const share = String.raw`(\d+(?:\.\d+)?|\.\d+)\s*(?:(%|percent|パーセント)|\/\s*(\d+))|(0?\.\d+|1\.0{1,2})(?!\d|\.\d)`;
const leading = new RegExp(`^(?:${share})`, 'i');
const enclosed = new RegExp(`\\((?:${share})\\s*\\)$`, 'i');

/**
 * From 0 to 1, whether written as a number, as a text that begins or ends with a share, or as a percentage; 0 for
 * anything else, such as a count of things. A number from 10 to 100 is a percentage without its sign; others are brought
 * into the range. @see decision E2
 */
export function toConfidence(value: unknown): number {
  const read = typeof value === 'number' ? value : typeof value === 'string' ? readText(value) : 0;
  if (!Number.isFinite(read)) return 0;
  return Math.min(1, Math.max(0, read >= 10 && read <= 100 ? read / 100 : read));
}

function readText(written: string): number {
  const text = written
    .normalize('NFKC')
    .trim()
    .replace(decimalComma, (found) => found.replace(',', '.'))
    .replace(prefix, '');
  if (plainNumber.test(text)) return Number(text);
  const [, digits, percent, whole, decimal] = leading.exec(text) ?? enclosed.exec(text) ?? [];
  if (decimal !== undefined) return Number(decimal);
  if (digits === undefined) return 0;
  const read = Number(digits) / (percent === undefined ? Number(whole) : 100);
  // "1/0" and "3/2 of the files" say no share.
  return read > 1 ? 0 : read;
}
