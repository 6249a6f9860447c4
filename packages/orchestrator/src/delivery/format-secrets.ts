import type { Locale } from '@agent/text';
import { toCodeSpan } from '@agent/text/outgoing';
import type { SecretPlace } from '@agent/workspace';
import { type RunTexts, runTexts } from '../report/texts.ts';

const maxListed = 20;

/** Formats the message to the model about changes that were not pushed. */
export function formatSecretsRequest(places: readonly SecretPlace[]): string {
  return [
    'Your changes were not pushed: they contain possible secrets, or files that cannot be scanned for secrets. Each is listed with its file, line and kind:',
    ...listPlaces(places, runTexts.en),
    'Remove the values from these files: read them from the environment, or use an obvious placeholder such as "example". Leave out or split files that cannot be scanned. Then give your final answer again. The changes are not pushed while they contain any of these.',
  ].join('\n');
}

/** Formats the text for the thread: file, line and kind, never the value. */
export function formatRefusedPush(places: readonly SecretPlace[], locale: Locale): string {
  const text = runTexts[locale];
  const { refused, remedy } = text.refusedPush;
  return [refused, '', ...listPlaces(places, text), '', remedy].join('\n');
}

function listPlaces(
  places: readonly SecretPlace[],
  { refusedPush: text, more }: RunTexts,
): readonly string[] {
  const where = (line: SecretPlace['line']) => {
    if (typeof line === 'number') return text.line(line);
    return line === 'name' ? text.inName : text.inWhole;
  };
  const rows = places
    .slice(0, maxListed)
    .map(({ path, line, kind }) => `- ${toCodeSpan(path)}, ${where(line)}: ${kind}`);
  return places.length > rows.length ? [...rows, more(places.length - rows.length)] : rows;
}
