import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Section, toLink } from './navigation.ts';
import type { StagedPage } from './stage-pages.ts';

/** Sections whose pages matter to whoever changes this repository, not to whoever uses it. */
const INSIDE = new Set(['Working on it', 'Decisions']);

/** Writes what models read of the site: `llms.txt`, its pages in their order, and `llms-full.txt`, what stands on those for users. */
export function writeLlms(
  folder: string,
  base: string,
  content: { readonly sections: readonly Section[]; readonly pages: readonly StagedPage[] },
): void {
  const { sections, pages } = content;
  const lists = sections.map(
    ({ text, items }) =>
      `## ${text}\n\n${items.map((item) => `- [${item.text}](${base}${item.link.slice(1)})`).join('\n')}`,
  );
  writeFileSync(
    join(folder, 'llms.txt'),
    `# agent\n\n> Libraries and services that keep a coding agent in step with the people it works for, on the thread where they talk to it.\n\n${lists.join('\n\n')}\n`,
  );
  const texts = new Map(pages.map(({ route, text }) => [toLink(route), text]));
  const links = sections
    .filter(({ text }) => !INSIDE.has(text))
    .flatMap(({ items }) => items.map(({ link }) => link));
  writeFileSync(
    join(folder, 'llms-full.txt'),
    links.map((link) => (texts.get(link) ?? '').trim()).join('\n\n---\n\n') + '\n',
  );
}
