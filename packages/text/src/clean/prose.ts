/** Words that hold English sentences together; names, paths and identifiers hardly have them. */
const small = new Set(
  (
    'a about all an and any are as at be been but by can do dont every from has have how i if in into is it its me must my no ' +
    'nor not now of on one or our out please shall should so than that the their them then there these they this those to ' +
    'up us was we were what when where which who why will with without would you your'
  ).split(' '),
);
const maxSmall = 2;
/** A city or a name in an address that is written in another script. */
const maxForeign = 8;

/** The words of an identifier or a path: what digits, signs and capitals part. */
function toWords(text: string): readonly string[] {
  return text.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
}

/** Tells whether a text that should name something reads like a sentence. */
function isProse(text: string): boolean {
  if (toWords(text).filter((word) => small.has(word.toLowerCase())).length > maxSmall) return true;
  return (text.match(/[\u0080-\uffff]/g)?.length ?? 0) > maxForeign;
}

/** At most a word and a number, in Latin letters: `screenshot 3`. In other scripts a dozen letters are a sentence. */
export function isPlainToken(text: string): boolean {
  return /^(?:[A-Za-z]?[a-z]{0,14}(?:[ _.-]?\d{1,4})?|[A-Z]{1,5})$/.test(text);
}

/** Data in an address are no address. */
const maxOpaque = 64;

/** An address without what reads like a sentence; as it is where nothing does. */
export function toPlainAddress(address: string): string {
  const isAngled = address.startsWith('<');
  const inner = isAngled ? address.slice(1, -1) : address;
  const known = decode(inner);
  if (!isProse(known) && !isOpaque(inner)) return address;
  const origin = /^https?:\/\/[A-Za-z0-9.-]{1,80}(?::\d{1,5})?(?=[/?#]|$)/i.exec(inner)?.[0] ?? '';
  const plain = origin === '' || isProse(origin) ? '#' : `${origin}/…`;
  return isAngled ? `<${plain}>` : plain;
}

function isOpaque(address: string): boolean {
  return /^data:/i.test(address) && address.length > maxOpaque;
}

/** Reads what percent signs spell; the address as it is when they spell nothing. */
function decode(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
