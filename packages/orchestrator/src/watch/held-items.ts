import type { Locale } from '@agent/text';
import { describeHeldItem } from '../held/format-held.ts';
import { type HeldItem, isAllowable, listOpen, parseHeld } from '../held/held-record.ts';

/** Change of a run that waits for permission. */
export interface HeldItemView {
  /** `H1` */
  readonly id: string;
  /** File, or files in lines of their own. */
  readonly path: string;
  /** File and rule, or why it is held, in words for people. */
  readonly text: string;
  /** Patch as the comment shows it; null for a secret and for what cannot be shown. */
  readonly patch: string | null;
  /** Comment that releases it; null if it cannot be allowed by its number. */
  readonly allow: string | null;
}

/** Lists the changes that wait, of the value that a run stores; none for a value that cannot be read. */
export function listHeldItems(
  value: unknown,
  { locale, redact }: { readonly locale: Locale; readonly redact: (text: string) => string },
): readonly HeldItemView[] {
  const record = parseHeld(value);
  return record === null ? [] : listOpen(record).map((item) => toView(item, { locale, redact }));
}

function toView(
  item: HeldItem,
  { locale, redact }: { readonly locale: Locale; readonly redact: (text: string) => string },
): HeldItemView {
  const id = `H${item.number}`;
  return {
    ...{ id, path: redact(item.path), text: redact(describeHeldItem(item, locale)) },
    patch: item.patch === null ? null : redact(item.patch),
    allow: isAllowable(item) ? `/allow ${id}` : null,
  };
}
