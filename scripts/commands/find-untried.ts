import type { DocumentCommand } from './document-commands.ts';
import type { TriedCommand } from './tried-commands.ts';
import type { UntriedCommand } from './untried-commands.ts';

/** Which commands tests run, and which they do not. */
export interface KnownCommands {
  readonly tried: readonly TriedCommand[];
  readonly untried: readonly UntriedCommand[];
}

const TODO =
  'no test runs this command. Have a test run it and name that test in scripts/commands/tried-commands.ts; or list it with the ' +
  'reason in scripts/commands/untried-commands.ts.';

/** Finds commands of documents that are in neither list, and says what to do. */
export function findUntried(
  commands: readonly DocumentCommand[],
  { tried, untried }: KnownCommands,
): readonly string[] {
  return listUntried(commands, tried)
    .filter(({ command }) => !untried.some(([listed]) => isBeginning(listed, command)))
    .map(({ command, place }) => `${place}: ${command}: ${TODO}`);
}

/** Finds entries of the list of untried commands that no document needs: the command is gone, or a test runs it now. */
export function findStale(
  commands: readonly DocumentCommand[],
  { tried, untried }: KnownCommands,
): readonly string[] {
  const needed = listUntried(commands, tried);
  return untried
    .filter(([listed]) => !needed.some(({ command }) => isBeginning(listed, command)))
    .map(([listed]) => `${listed}: no document has this command without a test: remove it from the list.`);
}

function listUntried(
  commands: readonly DocumentCommand[],
  tried: readonly TriedCommand[],
): readonly DocumentCommand[] {
  const patterns = tried.map(([command]) => splitWords(command));
  return commands.filter(({ command }) => !patterns.some((pattern) => isUseOf(splitWords(command), pattern)));
}

function isBeginning(listed: string, command: string): boolean {
  const words = splitWords(command);
  return splitWords(listed).every((word, index) => words[index] !== undefined && isWord(words[index], word));
}

/** True for a use of the pattern, also without its last operands: then it is the name of the command. */
function isUseOf(words: readonly string[], pattern: readonly string[]): boolean {
  const isSame = words.every((word, index) => isWord(word, pattern[index] ?? ''));
  return isSame && pattern.slice(words.length).every(isOperand);
}

function isWord(word: string, pattern: string): boolean {
  return word === pattern || isOperand(pattern);
}

function isOperand(word: string): boolean {
  return /^[A-Z]+$/.test(word);
}

function splitWords(command: string): readonly string[] {
  return command.match(/"[^"]*"|\S+/g) ?? [];
}
