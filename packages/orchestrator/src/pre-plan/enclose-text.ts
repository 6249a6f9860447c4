import type { WrapText } from '@agent/pre-planning';
import type { TextGuard } from '../inbox/create-text-guard.ts';

/**
 * Puts a text into an envelope of the run, under its name. It is not cleaned here: what people wrote on threads is
 * clean where it is read, and code is no page.
 */
export function encloseText({ wrap }: Pick<TextGuard, 'wrap'>): WrapText {
  return (text, { what, author, isTrusted }) => {
    const enclosed = wrap(text, { author, authority: isTrusted ? 'trusted' : 'untrusted' });
    return `${what.replace(/\s+/g, ' ')}:\n${enclosed || '(nothing visible)'}`;
  };
}
