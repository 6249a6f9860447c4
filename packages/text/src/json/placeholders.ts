/** Dots alone, as forms show them, also within brackets or quotes. */
const dots = /^[[(<{"'`「（]{0,3}[.…‥．・。\s]+[\])>}"'`」）]{0,3}$/;
/** Words within brackets, as templates show them: `<text>`, `[your answer]`, `{{goal}}`, `＜目的＞`. */
const frames: readonly RegExp[] = [
  /^(?:<|＜|&lt;)[\p{L}\p{N}][\p{L}\p{N} _.…:,'/|-]{0,80}(?:>|＞|&gt;)$/u,
  /^[[［][\p{L}\p{N}…]{1,40}(?:[ _…][\p{L}\p{N}_.…:,'/|-]{0,40}){1,8}[\]］]$/u,
  /^\$?\{{1,3} ?[\p{L}\p{N}][\p{L}\p{N} _.…:,'/|-]{0,80} ?\}{1,3}$/u,
];

/** Tells whether a text only holds the place of one, as in the forms that a model is shown. */
export function isPlaceholder(text: string): boolean {
  const trimmed = text.trim();
  return trimmed !== '' && (isDots(trimmed) || frames.some((frame) => frame.test(trimmed)));
}

function isDots(text: string): boolean {
  return /[.…‥．・。]/.test(text) && dots.test(text);
}

/** Keys of values that a tool is called with: there, `<div>` can be what is searched for. */
const toolKeys: ReadonlySet<string> = new Set(['parameters', 'arguments', 'args', 'input']);
const maxDepth = 32;

/**
 * A JSON value whose placeholders are missing: keys without a value, and lists without the items. An item whose texts are all
 * placeholders is one itself.
 *
 * @example
 * withoutPlaceholders({ summary: '…', tasks: ['<task>', 'Add the total'] }); // { summary: undefined, tasks: ['Add the total'] }
 */
export function withoutPlaceholders(value: unknown): unknown {
  return clear(value, { isHeld: isPlaceholder, depth: 0 });
}

interface Clearing {
  readonly isHeld: (text: string) => boolean;
  readonly depth: number;
}

function clear(value: unknown, { isHeld, depth }: Clearing): unknown {
  if (typeof value === 'string') return isHeld(value) ? undefined : value;
  if (typeof value !== 'object' || value === null || depth > maxDepth) return value;
  if (Array.isArray(value))
    return value
      .map((item) => clear(item, { isHeld, depth: depth + 1 }))
      .filter((item, index) => item !== undefined && !(isEmptied(item) && !isEmptied(value[index])));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !isDots(key))
      .map(([key, inner]) => {
        const isTool = toolKeys.has(key) && typeof inner === 'object';
        return [key, clear(inner, { isHeld: isTool ? isDots : isHeld, depth: depth + 1 })];
      }),
  );
}

/** Tells whether an object has no value left. */
function isEmptied(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((inner) => inner === undefined)
  );
}
