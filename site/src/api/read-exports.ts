import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type ParseResult, parseSync } from 'oxc-parser';
import { cutSignature } from './cut-signature.ts';

/** A name that an entry point exports. */
export interface ApiExport {
  readonly name: string;
  /** TypeScript as it is declared, without bodies; more than one for overloads and for a type beside its value. */
  readonly signatures: readonly string[];
  /** Markdown of its docstring; empty where there is none. */
  readonly text: string;
  /** Path in the repository, or the package that it comes from. */
  readonly source: string;
}

/** Reads what a source exports by name, by name; throws for a name whose declaration is not found. */
export function readExports(root: string, source: string): readonly ApiExport[] {
  const { parsed } = readSource(root, source);
  const names = parsed.module.staticExports.flatMap(({ entries }) => entries);
  const found = names.map(({ exportName, importName, moduleRequest }) => {
    const name = exportName.name ?? 'default';
    if (moduleRequest === null) return findExport(root, source, name);
    if (importName.name === null) throw new Error(`${source} exports everything of ${moduleRequest.value}`);
    return { ...findRequested(root, source, { name: importName.name, from: moduleRequest.value }), name };
  });
  const sorted = found.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return [...new Map(sorted.map((one) => [one.name, one])).values()];
}

/** A name and the module that it is taken from. */
interface Request {
  readonly name: string;
  readonly from: string;
}

/** A source and its syntax tree. */
interface ReadSource {
  readonly code: string;
  readonly parsed: ParseResult;
}

/** Follows a name to its module; a declaration of another package is described there. */
function findRequested(root: string, source: string, { name, from }: Request): ApiExport {
  if (!from.startsWith('.')) return { name, signatures: [], text: '', source: from };
  return findExport(root, posix.join(posix.dirname(source), from), name);
}

function findExport(root: string, source: string, name: string): ApiExport {
  const { code, parsed } = readSource(root, source);
  const declared = parsed.program.body.filter(
    (node) =>
      node.type === 'ExportNamedDeclaration' &&
      node.declaration !== null &&
      nameOf(node.declaration) === name,
  );
  if (declared.length > 0) {
    const texts = declared.map(({ start }) => docstringBefore(parsed, code, start));
    const signatures = declared.map((node) => cutSignature(code, node));
    return {
      name,
      signatures: dropImplementation(signatures, declared),
      text: texts.find(Boolean) ?? '',
      source,
    };
  }
  const passed = parsed.module.staticExports
    .flatMap(({ entries }) => entries)
    .find(({ exportName, moduleRequest }) => exportName.name === name && moduleRequest !== null);
  if (passed?.moduleRequest == null) throw new Error(`${source} declares no ${name}`);
  return findRequested(root, source, {
    name: passed.importName.name ?? name,
    from: passed.moduleRequest.value,
  });
}

function readSource(root: string, source: string): ReadSource {
  const code = readFileSync(join(root, source), 'utf8');
  return { code, parsed: parseSync(source, code) };
}

type Statement = ParseResult['program']['body'][number];

function nameOf(declaration: object): string | null {
  if ('id' in declaration) return Reflect.get(declaration.id ?? {}, 'name') ?? null;
  const [first] = Reflect.get(declaration, 'declarations') ?? [];
  return first?.id?.name ?? null;
}

/** Leaves out the last of several functions of a name: callers see its overloads alone. */
function dropImplementation(
  signatures: readonly string[],
  declared: readonly Statement[],
): readonly string[] {
  const last = declared.at(-1);
  const isFunction =
    last?.type === 'ExportNamedDeclaration' && last.declaration?.type === 'FunctionDeclaration';
  return isFunction && signatures.length > 1 ? signatures.slice(0, -1) : signatures;
}

/** Reads the docstring that ends where a declaration starts; a line for the linter may stand between. */
function docstringBefore({ comments }: ParseResult, code: string, start: number): string {
  const found = comments.findLast(
    ({ type, value, end }) =>
      type === 'Block' &&
      value.startsWith('*') &&
      end <= start &&
      code
        .slice(end, start)
        .replace(/^\s*\/\/.*$/gm, '')
        .trim() === '',
  );
  const lines = found?.value.slice(1).replace(/^\s*\* ?/gm, '') ?? '';
  return toMarkdown(lines.trim());
}

function toMarkdown(docstring: string): string {
  const [text = '', ...examples] = docstring.split(/^@example\s*$/m);
  const plain = text
    .replaceAll(/\{@link ([^}]+)\}/g, '`$1`')
    .replaceAll(/^@(\w+)\s*/gm, '\n$1: ')
    .trim();
  return [plain, ...examples.map(toFence)].filter(Boolean).join('\n\n');
}

function toFence(example: string): string {
  const code = example.trim();
  return code.includes('```') ? code : `\`\`\`ts\n${code}\n\`\`\``;
}
