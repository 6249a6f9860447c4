import { type Node, parseSync } from 'oxc-parser';

/**
 * Returns a source in which each function begins with `enterFunction(id)`, on the lines it had.
 *
 * @param register gives a function's number; told its name, or its line where it has none
 */
export function markEntries(path: string, text: string, register: (name: string) => number): string {
  const insertions: { readonly at: number; readonly text: string }[] = [];
  const visit = (node: Node, parent: Node): void => {
    if (
      node.type === 'FunctionDeclaration' ||
      node.type === 'FunctionExpression' ||
      node.type === 'ArrowFunctionExpression'
    ) {
      const { body } = node;
      if (body === null) return;
      const id = register(nameOf(node, parent) ?? `line ${text.slice(0, node.start).split('\n').length}`);
      if (body.type === 'BlockStatement')
        insertions.push({ at: body.start + 1, text: `enterFunction(${id});` });
      else insertions.push({ at: body.start, text: `(enterFunction(${id}), ` }, { at: body.end, text: ')' });
    }
    for (const child of childrenOf(node)) visit(child, node);
  };
  const { program } = parseSync(path, text);
  visit(program, program);
  const ordered = insertions.sort((one, other) => other.at - one.at);
  return ordered.reduce(
    (marked, { at, text: inserted }) => marked.slice(0, at) + inserted + marked.slice(at),
    text,
  );
}

function nameOf(node: Node, parent: Node): string | null {
  if ('id' in node && node.id !== null && (node.id as Node).type === 'Identifier')
    return (node.id as { name: string }).name;
  const key =
    parent.type === 'VariableDeclarator' ? parent.id : 'key' in parent ? (parent.key as Node) : null;
  return key !== null && 'name' in key && typeof key.name === 'string' ? key.name : null;
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
