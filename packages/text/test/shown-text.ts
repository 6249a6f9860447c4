import type { Element, Nodes, Root } from 'hast';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';

const renderer = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw)
  // Its default allows what GitHub allows.
  .use(rehypeSanitize);

/**
 * The text that people see of a page made of a Markdown text: remark and rehype render it and take out what GitHub takes
 * out. What a browser and GitHub make of the rest is modeled: what ruby shows only where there is no ruby, print too small
 * to be read, maps, solids, diagrams, formulas, footnotes (numbered), characters without a shape, white space. Folded
 * details are seen: a click unfolds them.
 */
export function toShownText(markdown: string): string {
  return squeeze(readNode(renderer.runSync(renderer.parse(markdown)) as Root, 0));
}

const tiny = new Set(['sub', 'sup']);
/** Print nested deeper than this is a few pixels high. */
const maxTiny = 3;

function readNode(node: Nodes, depth: number): string {
  if (node.type === 'text') return readFormulas(node.value);
  if (!('children' in node)) return '';
  if (node.type === 'root') return node.children.map((child) => readNode(child, depth)).join('');
  if (node.tagName === 'rp') return '';
  if (node.properties.dataFootnoteRef === true) return '[note]';
  const inner = tiny.has(node.tagName) ? depth + 1 : depth;
  if (inner > maxTiny) return '';
  const text = node.children.map((child, index) => readChild(node, { child, index, depth: inner })).join('');
  return node.tagName === 'code' ? readCode(node, text) : isBlock(node) ? `\n${text}\n` : text;
}

/** Code between dollars is a formula. */
function readChild(
  { children }: Element,
  { child, index, depth }: { readonly child: Nodes; readonly index: number; readonly depth: number },
): string {
  const [before, after] = [children[index - 1], children[index + 1]];
  const isBetween =
    before?.type === 'text' &&
    before.value.endsWith('$') &&
    after?.type === 'text' &&
    after.value.startsWith('$');
  const text = readNode(child, depth);
  return isBetween ? readFormula(text) : text;
}

function isBlock({ tagName }: Element): boolean {
  return /^(?:p|li|td|th|tr|h\d|pre|div|blockquote|details|summary|br|hr)$/.test(tagName);
}

function readCode({ properties }: Element, text: string): string {
  const classes = Array.isArray(properties.className) ? properties.className : [];
  const language = String(classes[0] ?? '').replace(/^language-/, '');
  if (/^(?:geojson|topojson|stl)$/.test(language)) return '';
  if (language === 'math') return readFormula(text);
  return language === 'mermaid' ? readDiagram(text) : text;
}

/** Labels are shown, names behind labels are not; nor is what is said to the program that draws. */
function readDiagram(text: string): string {
  return text
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/%%\{[\s\S]*?\}%%/g, '')
    .replace(/^\s*accDescr\s*\{[\s\S]*?\}/gm, '')
    .replace(/^\s*(?:%%|acc(?:Title|Descr)|click|classDef|class|style|linkStyle).*$/gm, '')
    .replace(/:::\w+/g, '')
    .replace(/^participant \w+ as (\w+)\n\w+->>\w+:/gm, '$1')
    .replace(/\w+(?=[[({])/g, '');
}

function readFormulas(text: string): string {
  return text.replace(/(\$\$|\$(?!\s))([^$]+)\1/g, (_, _sign, formula: string) => readFormula(formula));
}

/** What MathJax sets in no ink, or never sets. */
function readFormula(formula: string): string {
  return formula
    .replace(/(?<!\\)%.*/g, '')
    .replace(/\\(?:def|newcommand)\s*\{?\\\w+\}?/g, '\\phantom')
    .replace(/\\(?:text)?color\{(?:white|transparent|#fff(?:fff)?)\}(?:\\text)?/g, '\\phantom')
    .replace(/\\(?:[hv]?phantom|label|class|cssId|href)(?:\{(?:[^{}]|\{[^{}]*\})*\})/g, '');
}

/** Without characters that have no shape, and with white space as wide as one space. */
function squeeze(text: string): string {
  const shapeless =
    /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Noncharacter_Code_Point}]|(?![\t\n\r])\p{Cc}/gu;
  return text
    .replace(shapeless, '')
    .replace(/[\s\u2800\u1680]+/gu, ' ')
    .trim();
}
