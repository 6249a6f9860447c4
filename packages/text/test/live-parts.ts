import { spawnSync } from 'node:child_process';
import { markdownToHTML } from 'comrak';

/** Options that GitLab gives to comrak. @see https://gitlab.com/gitlab-org/ruby/gems/gitlab-glfm-markdown */
const gitlabOptions = {
  extension: {
    ...{ autolink: true, table: true, strikethrough: true, tasklist: true, footnotes: true, alerts: true },
    ...{ mathDollars: true, mathCode: true, multilineBlockQuotes: true, descriptionLists: true },
    ...{ wikilinksTitleBeforePipe: true, frontMatterDelimiter: '---' },
  },
  render: { unsafe: true },
};

const extensions = ['table', 'autolink', 'strikethrough', 'tasklist', 'footnotes'];
const isGitHubsThere = spawnSync('cmark-gfm', ['--version']).status === 0;

/** Names the renderers at hand: GitLab's, and GitHub's where the machine has it (Debian's package `cmark-gfm`). */
export const renderers: readonly (readonly [name: string, render: (text: string) => string])[] = [
  ['comrak', (text) => markdownToHTML(text, gitlabOptions)],
  ...(isGitHubsThere ? ([['cmark-gfm', (text: string) => renderAsGitHub(text)]] as const) : []),
];

function renderAsGitHub(text: string): string {
  const args = ['--unsafe', ...extensions.flatMap((name) => ['-e', name])];
  return spawnSync('cmark-gfm', args, { input: text }).stdout.toString();
}

const writtenTags = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del table thead tbody tr th td hr br input sup section details summary dl dt dd div span'.split(
    ' ',
  ),
);

/**
 * Signs that GitHub and GitLab make live in the text of a page: mentions, references, addresses.
 *
 * @see https://docs.github.com/en/get-started/writing-on-github/working-with-advanced-formatting/autolinked-references-and-urls
 * @see https://docs.gitlab.com/user/markdown/#gitlab-specific-references
 */
const liveTexts: readonly RegExp[] = [
  /(?<![A-Za-z0-9])@[A-Za-z0-9]/,
  /(?<![A-Za-z0-9&])[\w./-]*(?:#\d+(?![A-Za-z0-9])|!\d)/,
  /(?<!\w)[&$]\d/,
  /(?<!\w)G[HL]-\d/i,
  /(?<!~)~[\w"]/,
  /%["\w]/,
  /(?<![\w#])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}(?!\w)/,
  /(?<!\w)www\.[a-z]/i,
  /[\w.+-]+@[\w-]+\.[a-z]/i,
  /\[\[/,
  /\[(?:vulnerability|cadence|contact|feature_flag|wiki_page|issue|epic|work_item):/,
  /\^alert/,
  /\*iteration:/,
  /[\w-]\/[\w.-]+>/,
];

/** Lists what is live in a page: tags and pictures, links to other hosts, texts of which a forge makes more. */
export function findLiveParts(html: string, linkHosts: readonly string[]): readonly string[] {
  const found: string[] = [];
  const depth = { code: 0, link: 0 };
  for (const { 0: part, groups } of html.matchAll(
    /<(?<closing>\/?)(?<name>[a-z][\w-]*)(?<rest>(?:[^>"']|"[^"]*"|'[^']*')*)>|(?<text>[^<]+)|</gi,
  )) {
    const name = groups?.name?.toLowerCase();
    const step = groups?.closing === '/' ? -1 : 1;
    if (name === 'code' || name === 'pre') depth.code += step;
    if (name === 'a') {
      depth.link += step;
      const address = decode(/href="([^"]*)"/.exec(groups?.rest ?? '')?.[1] ?? '');
      if (step > 0 && !leadsTo(address, linkHosts)) found.push(`link ${address}`);
    } else if (name !== undefined && !writtenTags.has(name)) found.push(`tag ${name}`);
    else if (name === undefined && groups?.text === undefined) found.push(`sign ${part}`);
    if (groups?.text !== undefined && depth.code === 0 && depth.link === 0)
      found.push(...findLiveTexts(decode(groups.text), linkHosts));
  }
  return found;
}

function findLiveTexts(text: string, linkHosts: readonly string[]): readonly string[] {
  const rest = text.replace(/[\w+.-]+:\/\/\S*/g, (address) => (leadsTo(address, linkHosts) ? '' : 'www.a'));
  return liveTexts.flatMap((form) => form.exec(rest)?.[0] ?? []).map((one) => `text ${one}`);
}

/** Marks of footnotes lead to their page. */
function leadsTo(address: string, linkHosts: readonly string[]): boolean {
  if (address.startsWith('#fn')) return true;
  return URL.canParse(address) && linkHosts.includes(new URL(address).host);
}

function decode(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&amp;', '&');
}

/**
 * Lines that GitLab carries out, as its own expressions find them: not between fences of three backticks at the margin.
 *
 * @see https://gitlab.com/gitlab-org/gitlab/-/blob/master/lib/gitlab/quick_actions/extractor.rb
 */
export function findQuickActions(text: string): readonly string[] {
  return [...text.matchAll(/^```.+?\n```$|^\/(?<command>[a-z_]+)(?: [^\n]*)?$/gims)].flatMap(
    ({ groups }) => groups?.command ?? [],
  );
}
