import type { Locale } from '@agent/text';
import { type Markup, markup } from './markup.ts';

/** Options of `moment`. */
export interface MomentOptions {
  /** True to show date and zone also today. Default false. */
  readonly isWhole?: boolean | undefined;
}

/** Shows a moment to the second; a script converts it to the zone of the reader. Null is a dash. */
export function moment(at: number | null, { isWhole = false }: MomentOptions = {}): Markup {
  const date = at === null ? null : new Date(at);
  if (date === null || Number.isNaN(date.getTime())) return markup`<span class="none">–</span>`;
  const iso = date.toISOString();
  return markup`<time datetime="${iso}"${isWhole && markup` data-whole`}>${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

/** Formats a number with the separators of a language. */
export function formatCount(value: number, locale: Locale): string {
  return value.toLocaleString(locale);
}

/** Formats a share from 0 to 1 as a whole percentage. */
export function formatPercent(share: number, locale: Locale): string {
  return share.toLocaleString(locale, { style: 'percent' });
}

/** Formats millionths of a currency; without a currency, as a number. */
export function formatMoney(micros: number, currency: string | null, locale: Locale): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 4 };
  const amount = (micros / 1_000_000).toLocaleString(locale, digits);
  return currency === null ? amount : `${amount} ${currency}`;
}

/** Formats how long something took, in the two largest units. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return ms < 1000 ? `${Math.max(0, Math.round(ms))} ms` : `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
