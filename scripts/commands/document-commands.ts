import remarkParse from 'remark-parse';
import { unified } from 'unified';
import type { SourceTree } from '../shape/source-tree.ts';

/** A command in a document. */
export interface DocumentCommand {
  /** In one spelling: `npx agent-daemon run` and `npm run daemon -- run` are `agent-daemon run`. */
  readonly command: string;
  /** `docs/page.md:12`. */
  readonly place: string;
}

/** The used part of a Markdown node. */
interface Node {
  readonly type: string;
  readonly lang?: string | null;
  readonly value?: string;
  readonly children?: readonly Node[];
  readonly position?: { readonly start: { readonly line: number } } | undefined;
}

const SHELLS = ['sh', 'bash', 'console', 'shell'];
/** In running text, these words start a command; other code there is a name, a path or part of a program. */
const PROGRAMS = /^(npm|npx|docker|node|systemctl|agent-daemon|agent-discord|agent-comments-mcp) \S/;
/** Commands that cannot be wrong, so no test has to run them. */
const PLAIN = /^(cd|mkdir|export) /;

/** Lists the commands in shell blocks and in the running text of Markdown documents. */
export function listDocumentCommands(documents: SourceTree): readonly DocumentCommand[] {
  return [...documents].flatMap(([path, text]) => {
    const page = unified().use(remarkParse).parse(text) as Node;
    return listNodes(page).flatMap((node) => {
      const place = `${path}:${node.position?.start.line ?? 0}`;
      return commandsOf(node).map((command) => ({ command, place }));
    });
  });
}

function listNodes(node: Node): readonly Node[] {
  return [node, ...(node.children ?? []).flatMap(listNodes)];
}

function commandsOf({ type, lang, value = '' }: Node): readonly string[] {
  if (type === 'code' && SHELLS.includes(lang ?? '')) return splitCommands(value);
  if (type === 'inlineCode' && PROGRAMS.test(value) && !value.includes('…')) return [normalize(value)];
  return [];
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

/** Normalizes the spelling of a command, without the values of variables that are set for it. */
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
