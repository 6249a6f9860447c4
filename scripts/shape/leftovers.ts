import { Visitor } from 'oxc-parser';
import { lineAt, parseSource } from './parse-source.ts';
import { isCode, isTest } from './paths.ts';
import type { Problem, SourceTree } from './source-tree.ts';

const REMINDER = /\b(TODO|FIXME|XXX|HACK)\b/;
const TEST_FUNCTIONS = new Set(['it', 'test', 'describe']);
const NOT_RUN = new Set(['skip', 'only', 'todo', 'fails', 'skipIf', 'runIf']);

/** What is known to be missing is an issue, not a comment. */
export function findReminders(tree: SourceTree): readonly Problem[] {
  return [...tree]
    .filter(([path]) => isCode(path))
    .flatMap(([path, text]) =>
      parseSource(path, text)
        .comments.filter((comment) => REMINDER.test(comment.value))
        .map((comment) => ({
          path: `${path}:${lineAt(text, comment.start)}`,
          message: 'do it, or open an issue; no reminders in sources',
        })),
    );
}

/** A test that doesn't run proves nothing. */
export function findSkippedTests(tree: SourceTree): readonly Problem[] {
  return [...tree].filter(([path]) => isTest(path)).flatMap(([path, text]) => findSkipped(path, text));
}

function findSkipped(path: string, text: string): readonly Problem[] {
  const problems: Problem[] = [];
  new Visitor({
    MemberExpression({ object, property, start }) {
      if (object.type !== 'Identifier' || property.type !== 'Identifier') return;
      if (!TEST_FUNCTIONS.has(object.name) || !NOT_RUN.has(property.name)) return;
      problems.push({
        path: `${path}:${lineAt(text, start)}`,
        message: `${object.name}.${property.name}: every test runs, always`,
      });
    },
  }).visit(parseSource(path, text).program);
  return problems;
}
