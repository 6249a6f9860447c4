import { type Node, Visitor } from 'oxc-parser';
import { lineAt, parseSource } from './parse-source.ts';
import { isPublished } from './paths.ts';
import type { Problem, SourceTree } from './source-tree.ts';

const AMBIENT = new Set([
  'Date.now',
  'Math.random',
  'performance.now',
  'crypto.randomUUID',
  'randomUUID',
  'setTimeout',
  'fetch',
]);

/**
 * Time, chance and the network come in through options, so that no test waits or guesses: these calls stand
 * in default arguments only. Test tools (`testing`) and apps are the outermost caller; limits on other programs, which keep
 * the system's time, are set where these are started (`workspace`, `rehearsal`).
 */
export function findAmbientEffects(tree: SourceTree): readonly Problem[] {
  return [...tree]
    .filter(([path]) => isPublished(path) && path.startsWith('packages/'))
    .filter(([path]) => !/\/src\/testing\//.test(path))
    .flatMap(([path, text]) => findCalls(path, text))
    .filter(
      ({ path, message }) =>
        !(/^packages\/(?:workspace|rehearsal)\//.test(path) && message.startsWith('setTimeout()')),
    );
}

function findCalls(path: string, text: string): readonly Problem[] {
  const problems: Problem[] = [];
  let defaults = 0;
  const report = (what: string, offset: number): void => {
    if (defaults > 0) return;
    problems.push({
      path: `${path}:${lineAt(text, offset)}`,
      message: `${what} belongs in a default argument`,
    });
  };
  new Visitor({
    AssignmentPattern: () => {
      defaults += 1;
    },
    'AssignmentPattern:exit': () => {
      defaults -= 1;
    },
    CallExpression({ callee, start }) {
      const name = nameOf(callee);
      if (AMBIENT.has(name)) report(`${name}()`, start);
    },
    NewExpression(node) {
      if (nameOf(node.callee) === 'Date' && node.arguments.length === 0) report('new Date()', node.start);
    },
  }).visit(parseSource(path, text).program);
  return problems;
}

function nameOf(node: Node): string {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier') return '';
  return node.property.type === 'Identifier' ? `${node.object.name}.${node.property.name}` : '';
}
