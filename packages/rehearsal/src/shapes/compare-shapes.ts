import type { Exchange } from './rehearsal.ts';
import { hasObject, isField, parentOf, type Shape } from './shape.ts';

/** How an answer differs from what the simulators or the matrix of models answer. */
export type Finding =
  | { readonly kind: 'unknown-route' | 'no-tool-calls' }
  | { readonly kind: 'no-answer'; readonly failure: string }
  | { readonly kind: 'status'; readonly expected: readonly string[] }
  | { readonly kind: 'missing-field'; readonly path: string; readonly isAlways: boolean }
  | {
      readonly kind: 'other-type';
      readonly path: string;
      readonly found: readonly string[];
      readonly expected: readonly string[];
    }
  /** Fields that the simulators lack. They need no change in the agent. */
  | { readonly kind: 'added-fields'; readonly paths: readonly string[] }
  | { readonly kind: 'missing-header'; readonly header: string; readonly count: number }
  | {
      readonly kind: 'other-header';
      readonly header: string;
      readonly found: readonly string[];
      readonly expected: readonly string[];
    }
  | { readonly kind: 'no-link'; readonly count: number };

/** Finding about one kind of request. */
export interface Difference {
  readonly exchange: Pick<Exchange, 'service' | 'route' | 'status' | 'count' | 'server'>;
  readonly finding: Finding;
}

/** Checks for a difference that can change how the agent works. */
export function matters({ finding }: Difference): boolean {
  return finding.kind !== 'added-fields';
}

/** Compares an answer with a reference: fields that it lacks, values of other types, and fields that the reference lacks. */
export function compareShapes(reference: Shape, found: Shape): readonly Finding[] {
  const atRoot = compareKinds('$', reference, found);
  if (atRoot.length > 0) return atRoot;
  const missing = Object.keys(reference).flatMap((path): readonly Finding[] => {
    const isGone = isField(path) && !(path in found) && hasObject(found, parentOf(path));
    return isGone && isAlwaysThere(reference, path) ? [{ kind: 'missing-field', path, isAlways: true }] : [];
  });
  const added = Object.keys(found).filter(
    (path) => isField(path) && !(path in reference) && hasObject(reference, parentOf(path)),
  );
  return [
    ...missing,
    ...Object.keys(found).flatMap((path) => compareKinds(path, reference, found)),
    ...(added.length === 0 ? [] : [{ kind: 'added-fields' as const, paths: added }]),
  ];
}

function compareKinds(path: string, reference: Shape, found: Shape): readonly Finding[] {
  const expected = reference[path];
  // Of a value that was only ever null, nothing is known.
  if (expected === undefined || expected.every((kind) => kind === 'null' || kind === 'absent')) return [];
  const others = (found[path] ?? []).filter((kind) => kind !== 'absent' && !isExpected(kind, expected));
  const isSometimesGone = found[path]?.includes('absent') === true && isAlwaysThere(reference, path);
  return [
    ...(isSometimesGone ? [{ kind: 'missing-field' as const, path, isAlways: false }] : []),
    ...(others.length === 0 ? [] : [{ kind: 'other-type' as const, path, found: others, expected }]),
  ];
}

function isAlwaysThere(reference: Shape, path: string): boolean {
  return reference[path]?.includes('absent') === false;
}

function isExpected(kind: string, expected: readonly string[]): boolean {
  if (expected.includes(kind) || kind === 'unread' || kind === 'deeper') return true;
  const isText = kind.startsWith('=') || kind.startsWith('time') || kind === 'day';
  if (isText && expected.includes('string')) return true;
  return kind.startsWith('=') && expected.some((one) => one.startsWith('='));
}
