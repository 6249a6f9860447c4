import { isProse } from './prose.ts';

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
