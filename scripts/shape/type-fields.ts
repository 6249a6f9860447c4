import { posix } from 'node:path';
import type { Node } from 'oxc-parser';
import { parseSource } from './parse-source.ts';
import type { SourceTree } from './source-tree.ts';

/** The fields of an object type by name: true for functions and for parts, which are objects that hold functions. */
export type Fields = ReadonlyMap<string, boolean>;

/** Reads types of a tree without a compiler: interfaces, literals, intersections, `Pick` and `Omit`, through imports. */
export interface TypeReader {
  readonly fieldsOf: (type: Node, path: string) => Fields;
}

type Declaration = { readonly node: Node; readonly path: string };

/** Deep enough for what the sources have; types that contain themselves end here. */
const DEEPEST = 8;

/** Creates a reader that finds each declaration once. */
export function createTypeReader(tree: SourceTree): TypeReader {
  const known = new Map<string, Declaration | null>();
  const find = (name: string, path: string): Declaration | null => {
    const key = `${path}#${name}`;
    if (!known.has(key)) known.set(key, findDeclaration(tree, name, path, DEEPEST));
    return known.get(key) ?? null;
  };
  const fieldsOf = (type: Node, path: string, depth = DEEPEST): Fields => {
    if (depth === 0) return new Map();
    const again = (inner: Node, from = path): Fields => fieldsOf(inner, from, depth - 1);
    switch (type.type) {
      case 'TSTypeLiteral':
        return readMembers(type.members, path, depth);
      case 'TSIntersectionType':
        return new Map(type.types.flatMap((part) => [...again(part)]));
      case 'TSParenthesizedType':
        return again(type.typeAnnotation);
      case 'TSInterfaceDeclaration': {
        const inherited = type.extends.flatMap(({ expression }) => {
          const base = expression.type === 'Identifier' ? find(expression.name, path) : null;
          return base === null ? [] : [...again(base.node, base.path)];
        });
        return new Map([...inherited, ...readMembers(type.body.body, path, depth)]);
      }
      case 'TSTypeAliasDeclaration':
        return again(type.typeAnnotation);
      case 'TSTypeReference': {
        const name = type.typeName.type === 'Identifier' ? type.typeName.name : '';
        const [of, keys] = type.typeArguments?.params ?? [];
        if (of !== undefined && ['Readonly', 'Partial', 'Required'].includes(name)) return again(of);
        if (of !== undefined && keys !== undefined && ['Pick', 'Omit'].includes(name)) {
          const named = new Set(listLiterals(keys));
          return new Map([...again(of)].filter(([field]) => named.has(field) === (name === 'Pick')));
        }
        const declared = find(name, path);
        return declared === null ? new Map() : again(declared.node, declared.path);
      }
      default:
        return new Map();
    }
  };
  const readMembers = (members: readonly Node[], path: string, depth: number): Fields =>
    new Map(
      members.flatMap((member): [string, boolean][] => {
        if (member.type === 'TSMethodSignature') return [[nameOf(member.key), true]];
        if (member.type !== 'TSPropertySignature') return [];
        const type = member.typeAnnotation?.typeAnnotation;
        return [[nameOf(member.key), type !== undefined && isPart(type, path, depth - 1)]];
      }),
    );
  const isPart = (type: Node, path: string, depth: number): boolean => {
    if (depth <= 0) return false;
    if (type.type === 'TSFunctionType') return true;
    if (type.type === 'TSUnionType') return type.types.some((member) => isPart(member, path, depth));
    if (type.type === 'TSTypeReference' && type.typeName.type === 'Identifier') {
      const declared = find(type.typeName.name, path);
      if (declared?.node.type === 'ClassDeclaration') return true;
      if (declared?.node.type === 'TSTypeAliasDeclaration')
        return isPart(declared.node.typeAnnotation, declared.path, depth - 1);
    }
    return [...fieldsOf(type, path, depth - 1).values()].includes(true);
  };
  return { fieldsOf: (type, path) => fieldsOf(type, path) };
}

function findDeclaration(tree: SourceTree, name: string, path: string, depth: number): Declaration | null {
  const text = tree.get(path);
  if (text === undefined || depth === 0) return null;
  const { program, module } = parseSource(path, text);
  for (const statement of program.body) {
    const node =
      statement.type === 'ExportNamedDeclaration' ? (statement.declaration ?? statement) : statement;
    const isType =
      node.type === 'TSInterfaceDeclaration' ||
      node.type === 'TSTypeAliasDeclaration' ||
      node.type === 'ClassDeclaration';
    if (isType && node.id?.name === name) return { node, path };
  }
  for (const { moduleRequest, entries } of module.staticImports) {
    const entry = entries.find(({ localName }) => localName.value === name);
    if (entry !== undefined)
      return findDeclaration(
        tree,
        entry.importName.name ?? name,
        toFile(path, moduleRequest.value),
        depth - 1,
      );
  }
  for (const entry of module.staticExports.flatMap(({ entries }) => entries)) {
    if (entry.exportName.name === name && entry.moduleRequest !== null)
      return findDeclaration(
        tree,
        entry.importName.name ?? name,
        toFile(path, entry.moduleRequest.value),
        depth - 1,
      );
  }
  return null;
}

/** The source that an import means, our packages included. */
function toFile(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  const [, member = '', folder = ''] = /^@agent\/([^/]+)\/?(.*)$/.exec(specifier) ?? [];
  return posix.join('packages', member, 'src', folder, 'index.ts');
}

function listLiterals(type: Node): readonly string[] {
  if (type.type === 'TSUnionType') return type.types.flatMap(listLiterals);
  return type.type === 'TSLiteralType' && type.literal.type === 'Literal' ? [String(type.literal.value)] : [];
}

function nameOf(key: Node): string {
  return key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : '';
}
