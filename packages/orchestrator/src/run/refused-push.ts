import type { Locale } from '@agent/text';
import { toCodeSpan } from '@agent/text/outgoing';
import type { SecretPlace } from '@agent/workspace';

const maxListed = 20;

/** Formats what the model is told of changes that were not pushed. */
export function formatSecretsRequest(places: readonly SecretPlace[]): string {
  return [
    'Your changes were not pushed: they hold what looks like secrets, or what cannot be looked through for them. Each is named by file, line and kind:',
    ...listPlaces(places, en),
    'Take the values out of these files (read them from the environment, or use a made-up value that says so, such as "example"), leave out or divide files that cannot be looked through, then give your final answer again. They are not pushed as long as they hold any.',
  ].join('\n');
}

interface Words {
  readonly refused: string;
  readonly inName: string;
  readonly inWhole: string;
  readonly line: (line: number) => string;
  readonly more: (count: number) => string;
  readonly remedy: string;
}

const ja: Words = {
  refused:
    '変更に秘密情報とみられる値、または検査できないファイルが含まれているため、プッシュしませんでした。',
  inName: 'ファイル名',
  inWhole: 'ファイル全体',
  line: (line) => `${line} 行目`,
  more: (count) => `- ほか ${count} 件`,
  remedy:
    '変更は作業ディレクトリに残っています。秘密情報でない場合は、運用者が設定の `outgoing.allow_paths` または `outgoing.allow_fingerprints` で許可できます (値の指紋はログにあります)。',
};

const en: Words = {
  refused:
    'The changes were not pushed, because they hold what looks like secrets, or what cannot be looked through for them.',
  inName: 'in its name',
  inWhole: 'all of it',
  line: (line) => `line ${line}`,
  more: (count) => `- and ${count} more`,
  remedy:
    'The changes are kept in the worktree. What is no secret can be allowed by the operator: `outgoing.allow_paths`, or `outgoing.allow_fingerprints` with the fingerprint that the log tells.',
};

const words: Readonly<Record<Locale, Words>> = { ja, en };

/** Formats what the thread is told of them: file, line and kind, never the value. */
export function formatRefusedPush(places: readonly SecretPlace[], locale: Locale): string {
  const text = words[locale];
  return [text.refused, '', ...listPlaces(places, text), '', text.remedy].join('\n');
}

function listPlaces(places: readonly SecretPlace[], text: Words): readonly string[] {
  const where = (line: SecretPlace['line']) => {
    if (typeof line === 'number') return text.line(line);
    return line === 'name' ? text.inName : text.inWhole;
  };
  const rows = places
    .slice(0, maxListed)
    .map(({ path, line, kind }) => `- ${toCodeSpan(path)}, ${where(line)}: ${kind}`);
  return places.length > rows.length ? [...rows, text.more(places.length - rows.length)] : rows;
}
