import type { ClassElement, Directive, Statement } from 'oxc-parser';

/** A place in a source. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Cuts what callers need not see out of an exported declaration: bodies, what is private, and values whose type is written. */
export function cutSignature(code: string, node: Statement | Directive): string {
  if (node.type !== 'ExportNamedDeclaration' || node.declaration === null)
    throw new Error(`no declaration: ${code.slice(node.start, node.end)}`);
  const { declaration } = node;
  const cut = (spans: readonly Span[]): string => withoutSpans(code, declaration, spans);
  switch (declaration.type) {
    case 'FunctionDeclaration':
      return cut(declaration.body === null ? [] : [declaration.body]);
    case 'ClassDeclaration':
      return cut(declaration.body.body.flatMap((member) => cutMember(code, member)));
    case 'VariableDeclaration':
      return cut(
        declaration.declarations.flatMap(({ id, init }) =>
          id.type === 'Identifier' && id.typeAnnotation && init !== null
            ? [{ start: id.typeAnnotation.end, end: init.end }]
            : [],
        ),
      );
    default:
      return cut([]);
  }
}

function cutMember(code: string, member: ClassElement): readonly Span[] {
  if (isPrivate(member)) return [{ start: lineStart(code, member.start), end: member.end }];
  if (member.type === 'MethodDefinition' && member.value.body !== null) return [member.value.body];
  if (member.type === 'PropertyDefinition' && member.typeAnnotation && member.value !== null)
    return [{ start: member.typeAnnotation.end, end: member.value.end }];
  return [];
}

function isPrivate(member: ClassElement): boolean {
  if (member.type === 'StaticBlock') return true;
  if (!('key' in member)) return false;
  return member.key.type === 'PrivateIdentifier' || member.accessibility === 'private';
}

/** The start of a member with the docstring above it. */
function lineStart(code: string, start: number): number {
  const before = code.slice(0, start);
  const docstring = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(before);
  return docstring?.index ?? start;
}

function withoutSpans(code: string, { start, end }: Span, spans: readonly Span[]): string {
  const text = spans
    .toSorted((one, other) => other.start - one.start)
    .reduce(
      (rest, span) => rest.slice(0, span.start - start) + rest.slice(span.end - start),
      code.slice(start, end),
    );
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{2,}/g, '\n')
    .replaceAll(/^\s*;?\n/gm, '')
    .trim();
}
