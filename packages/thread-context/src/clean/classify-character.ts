import type { RemovalKind } from './removal-log.ts';

/** What a character without a shape is counted as. */
export function classifyCharacter(code: number): RemovalKind {
  if (isBidirectional(code)) return 'bidirectional-control';
  if ((code >= 0x200b && code <= 0x200d) || code === 0x2060 || code === 0xfeff) return 'zero-width';
  if (code >= 0xe0000 && code <= 0xe007f) return 'tag-character';
  if (isVariationSelector(code)) return 'variation-selector';
  return code <= 0x1f || (code >= 0x7f && code <= 0x9f) ? 'control-character' : 'invisible-character';
}

export function isBidirectional(code: number): boolean {
  return (
    code === 0x061c ||
    code === 0x200e ||
    code === 0x200f ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069)
  );
}

export function isVariationSelector(code: number): boolean {
  return (
    (code >= 0xfe00 && code <= 0xfe0f) ||
    (code >= 0xe0100 && code <= 0xe01ef) ||
    (code >= 0x180b && code <= 0x180d) ||
    code === 0x180f
  );
}
