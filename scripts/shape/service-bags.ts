import type { Node } from 'oxc-parser';
import { lineAt, parseSource } from './parse-source.ts';
import { isPublished } from './paths.ts';
import type { Problem, SourceTree } from './source-tree.ts';
import { createTypeReader, type TypeReader } from './type-fields.ts';

/** Functions and parts that one parameter may hold, whatever the function does with them. */
const MOST_PARTS = 8;
/** Texts in two languages are handed on whole: who says something chooses its sentence. */
const TEXTS = /Texts$/;

/**
 * A parameter with more than eight functions or parts is a coat with too many pockets: only who reads at least half of
 * them may take it, and nobody hands it on whole.
 */
export function findServiceBags(tree: SourceTree): readonly Problem[] {
  const types = createTypeReader(tree);
  return [...tree]
    .filter(([path]) => isPublished(path))
    .flatMap(([path, text]) => {
      const { program } = parseSource(path, text);
      return listFunctions(program).flatMap((node) => findBags(node, { path, text, types }));
    });
}

interface Place {
  readonly path: string;
  readonly text: string;
  readonly types: TypeReader;
}

function findBags(node: FunctionNode, { path, text, types }: Place): readonly Problem[] {
  return node.params.flatMap((param) => {
    const pattern = param.type === 'AssignmentPattern' ? param.left : param;
    if (!('typeAnnotation' in pattern) || !pattern.typeAnnotation) return [];
    const annotation = pattern.typeAnnotation as { readonly typeAnnotation: Node };
    const type = text
      .slice(annotation.typeAnnotation.start, annotation.typeAnnotation.end)
      .replaceAll(/\s+/g, ' ');
    if (TEXTS.test(type)) return [];
    const parts = [...types.fieldsOf(annotation.typeAnnotation, path)].filter(([, isPart]) => isPart);
    if (parts.length <= MOST_PARTS) return [];
    const { read, isPassedOn } = countUses(pattern, node.body);
    const used = parts.filter(([name]) => read.has(name)).length;
    if (!isPassedOn && used * 2 >= parts.length) return [];
    const why = isPassedOn ? 'handed on whole' : `${used} of them read`;
    return [
      {
        path: `${path}:${lineAt(text, node.start)}`,
        message: `${type} holds ${parts.length} functions and parts, ${why}`,
      },
    ];
  });
}

type FunctionNode = Extract<Node, { readonly params: readonly Node[]; readonly body: Node | null }>;

function listFunctions(root: Node): readonly FunctionNode[] {
  const found: FunctionNode[] = [];
  walk(root, (node) => {
    if ('params' in node && 'body' in node && Array.isArray(node.params) && node.body !== null)
      found.push(node as FunctionNode);
  });
  return found;
}

interface Uses {
  readonly read: ReadonlySet<string>;
  readonly isPassedOn: boolean;
}

/** Which fields a function reads of a parameter, and whether it hands the whole on: as an argument, by a spread, in a field. */
function countUses(pattern: Node, body: Node | null): Uses {
  const read = new Set<string>();
  if (pattern.type === 'ObjectPattern') {
    let isPassedOn = false;
    for (const property of pattern.properties) {
      if (property.type === 'RestElement') isPassedOn = true;
      else if (property.key.type === 'Identifier') read.add(property.key.name);
    }
    return { read, isPassedOn };
  }
  if (pattern.type !== 'Identifier' || body === null) return { read, isPassedOn: false };
  let whole = 0;
  walk(body, (node, parent) => {
    if (node.type !== 'Identifier' || node.name !== pattern.name || isName(node, parent)) return;
    if (parent.type === 'MemberExpression' && parent.object === node && parent.property.type === 'Identifier')
      read.add(parent.property.name);
    else if (
      parent.type === 'VariableDeclarator' &&
      parent.init === node &&
      parent.id.type === 'ObjectPattern'
    )
      for (const name of countUses(parent.id, null).read) read.add(name);
    else whole += 1;
  });
  return { read, isPassedOn: whole > 0 };
}

/** Tells whether an identifier only names a member or a key. */
function isName(node: Node, parent: Node): boolean {
  if (parent.type === 'MemberExpression') return parent.property === node && !parent.computed;
  if (parent.type === 'Property') return parent.key === node && !parent.shorthand;
  return false;
}

function walk(node: Node, visit: (node: Node, parent: Node) => void, parent: Node = node): void {
  visit(node, parent);
  for (const [key, value] of Object.entries(node)) {
    if (key === 'parent') continue;
    for (const child of Array.isArray(value) ? value : [value])
      if (child !== null && typeof child === 'object' && typeof (child as Node).type === 'string')
        walk(child as Node, visit, node);
  }
}
