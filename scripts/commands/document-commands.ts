import remarkParse from 'remark-parse';
import { unified } from 'unified';
import type { SourceTree } from '../shape/source-tree.ts';

/** A command that a document tells its readers. */
export interface DocumentCommand {
  /** In one spelling: `npx agent-daemon run` and `npm run daemon -- run` are `agent-daemon run`. */
  readonly command: string;
  /** `docs/page.md:12`. */
  readonly place: string;
  /** Says whether the document itself tells that no test runs it. */
  readonly marked: boolean;
}

/** The part of a node of Markdown that is read here. */
interface Node {
  readonly type: string;
  readonly lang?: string | null;
  readonly value?: string;
  readonly children?: readonly Node[];
  readonly position?: { readonly start: { readonly line: number } } | undefined;
}

interface Found {
  readonly command: string;
  readonly line: number;
  readonly marked: boolean;
}

const PAGE_MARK = 'No command of this page is run by a test: ';
const MARK = 'Not run by a test: ';
const SHELLS = ['sh', 'bash', 'console', 'shell'];
/** In running text these words begin a command; other code there is a name, a path or a piece of a program. */
const PROGRAMS = /^(npm|npx|docker|node|systemctl|agent-daemon|agent-discord|agent-comments-mcp) \S/;
/** Change nothing that could be wrong: no test has to run them. */
const PLAIN = /^(cd|mkdir|export) /;

/** Lists every command in blocks of shell and in running text of documents of Markdown. */
export function listDocumentCommands(documents: SourceTree): readonly DocumentCommand[] {
  return [...documents].flatMap(([path, text]) => {
    const page = unified().use(remarkParse).parse(text) as Node;
    const isMarkedWhole = listNodes(page).some((node) => begins(node, PAGE_MARK));
    const found = listFound(page);
    const named = found.filter(({ marked }) => marked).map(({ command }) => command);
    return found.map(({ command, line, marked }) => ({
      command,
      place: `${path}:${line}`,
      marked: isMarkedWhole || marked || named.some((name) => `${command} `.startsWith(`${name} `)),
    }));
  });
}

/** A block is marked by the paragraph after it; a command, with any options, by a paragraph of that kind that names it. */
function listFound(parent: Node, isMarked = false): readonly Found[] {
  return (parent.children ?? []).flatMap((node, index, siblings) => {
    const line = node.position?.start.line ?? 0;
    const value = node.value ?? '';
    if (node.type === 'code' && SHELLS.includes(node.lang ?? '')) {
      const marked = begins(siblings[index + 1], MARK);
      return splitCommands(value).map((command) => ({ command, line, marked }));
    }
    if (node.type === 'inlineCode' && PROGRAMS.test(value) && !value.includes('…')) {
      return [{ command: normalize(value), line, marked: isMarked }];
    }
    return listFound(node, isMarked || begins(node, MARK));
  });
}

function listNodes(node: Node): readonly Node[] {
  return [node, ...(node.children ?? []).flatMap(listNodes)];
}

function begins(node: Node | undefined, words: string): boolean {
  return node?.type === 'paragraph' && textOf(node).startsWith(words);
}

function textOf(node: Node): string {
  return node.value ?? (node.children ?? []).map(textOf).join('');
}

function splitCommands(block: string): readonly string[] {
  return block
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, ''))
    .flatMap((line) => line.split(/ (?:&&|\|) /))
    .map(normalize)
    .filter((command) => command !== '' && !/^\w+=$/.test(command) && !PLAIN.test(command));
}

/** Brings a command to one spelling; the value of a variable that is set for it alone is left out. */
function normalize(command: string): string {
  return command
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/(?<=^|\s)([A-Z_]+)=\S+/g, '$1=')
    .replace(/^npx (?=agent-)/, '')
    .replace(/^npm run daemon -- ?/, 'agent-daemon ')
    .replace(
      /^npm run example (?:examples\/)?(?:example-)?([\w-]+)(?:\/src\/main\.ts)?$/,
      'npm run example $1',
    )
    .trim();
}
