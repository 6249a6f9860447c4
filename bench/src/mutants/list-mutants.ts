import { type Node, parseSync } from 'oxc-parser';

/** One small change of a source that its tests should notice. */
export interface Mutant {
  /** Relative to the repository. */
  readonly file: string;
  readonly line: number;
  readonly kind: 'condition' | 'operator' | 'dropped statement';
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const SWAPPED: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
};

/** Lists every mutant of a source: conditions that always or never hold, swapped operators, statements that are left out. */
export function listMutants(file: string, text: string): readonly Mutant[] {
  const mutants: Mutant[] = [];
  const add = (kind: Mutant['kind'], { start, end }: Node, replacement: string): void => {
    mutants.push({ file, line: text.slice(0, start).split('\n').length, kind, start, end, replacement });
  };
  const visit = (node: Node): void => {
    if (isTyping(node)) return;
    if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') {
      add('condition', node.test, 'true');
      add('condition', node.test, 'false');
    }
    if (node.type === 'UnaryExpression' && node.operator === '!')
      add('condition', node, `(${text.slice(node.argument.start, node.argument.end)})`);
    if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression') {
      const swapped = SWAPPED[node.operator];
      const [left, right] = [node.left, node.right].map(({ start, end }) => text.slice(start, end));
      if (swapped !== undefined) add('operator', node, `(${left} ${swapped} ${right})`);
    }
    if (node.type === 'ExpressionStatement' && isEffect(node.expression))
      add('dropped statement', node, '{}');
    for (const child of childrenOf(node)) visit(child);
  };
  visit(parseSync(file, text).program);
  return mutants;
}

/** Draws so many mutants, always the same ones for the same seed. */
export function drawMutants(
  mutants: readonly Mutant[],
  { count, seed }: { readonly count: number; readonly seed: number },
): readonly Mutant[] {
  const next = createRandom(seed);
  const rest = [...mutants];
  const drawn: Mutant[] = [];
  while (drawn.length < count && rest.length > 0)
    drawn.push(...rest.splice(Math.floor(next() * rest.length), 1));
  return drawn;
}

/** Puts a mutant into its source. */
export function applyMutant(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** Without a call to `super` a class is broken for everybody, which no test need show. */
function isEffect(expression: Node): boolean {
  const call = expression.type === 'AwaitExpression' ? expression.argument : expression;
  if (call.type === 'CallExpression') return call.callee.type !== 'Super';
  return call.type === 'AssignmentExpression' || call.type === 'UpdateExpression';
}

function isTyping({ type }: Node): boolean {
  return type.startsWith('TSType') || type.startsWith('TSInterface') || type === 'ImportDeclaration';
}

function childrenOf(node: Node): readonly Node[] {
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'parent'
      ? []
      : (Array.isArray(value) ? value : [value]).filter(
          (child): child is Node =>
            child !== null && typeof child === 'object' && typeof child.type === 'string',
        ),
  );
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
