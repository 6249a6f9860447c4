import { basename } from 'node:path';
import { familyOf, type Requirement } from '../requirements/parse-requirements.ts';
import type { SourceTree } from '../shape/source-tree.ts';
import { listMentionedIds } from './unresolved-ids.ts';

/** Families of decisions that have no dash in their ids; the order is that of docs/requirements.md. */
const FAMILIES = ['X', 'A', 'B', 'C', 'D', 'E'];

/**
 * Lists every page of docs/decisions, and every decision of docs/requirements.md with its first sentence and the
 * pages that explain it.
 */
export function formatDecisionIndex(
  requirementsMarkdown: string,
  requirements: readonly Requirement[],
  documents: SourceTree,
): string {
  const pages = [...documents]
    .filter(([path]) => /^docs\/decisions\/\d{4}-[^/]+\.md$/.test(path))
    .sort(([one], [other]) => one.localeCompare(other, 'en'));
  return [
    '## Pages',
    '',
    ...pages.map(([path, text]) => `- [${numberOf(path)}](${basename(path)}) ${titleOf(text)}`),
    ...FAMILIES.flatMap((family) => {
      const rows = requirements.filter(({ id }) => familyOf(id) === family && !id.includes('-'));
      return rows.length === 0 ? [] : formatFamily(headingOf(requirementsMarkdown, family), rows, pages);
    }),
    '',
  ].join('\n');
}

function formatFamily(
  heading: string,
  rows: readonly Requirement[],
  pages: readonly (readonly [string, string])[],
): readonly string[] {
  const link = `../requirements.md#${toAnchor(heading)}`;
  return [
    '',
    `## [${heading}](${link})`,
    '',
    '| id | begins | pages |',
    '|---|---|---|',
    ...rows.map(({ id, text }) => `| ${id} | ${firstSentence(text)} | ${listPages(id, pages)} |`),
  ];
}

function listPages(id: string, pages: readonly (readonly [string, string])[]): string {
  return pages
    .filter(([, text]) => listMentionedIds(text).some((mentioned) => mentioned.id === id))
    .map(([path]) => `[${numberOf(path)}](${basename(path)})`)
    .join(', ');
}

function headingOf(markdown: string, family: string): string {
  const heading = new RegExp(`^## (${family}: .*)$`, 'm').exec(markdown)?.[1];
  if (heading === undefined)
    throw new Error(`docs/requirements.md has rows of ${family} and no heading "## ${family}: …"`);
  return heading;
}

/** The anchor that forges make of a heading. */
function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function numberOf(path: string): string {
  return basename(path).slice(0, 4);
}

function titleOf(text: string): string {
  return /^# \d{4}:? (.*)$/m.exec(text)?.[1] ?? '(no title)';
}

function firstSentence(text: string): string {
  return /^.*?[.;](?=\s|$)/.exec(text)?.[0].replace(/;$/, ' …') ?? text;
}
