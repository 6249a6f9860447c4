import type { DocumentCommand } from './document-commands.ts';
import type { TriedCommand } from './tried-commands.ts';

const TODO =
  'nothing runs this command. Have a test run it and name that test in scripts/commands/tried-commands.ts; or begin the ' +
  'paragraph after the block with "Not run by a test: " and the reason (of a command in running text: name it there).';

/** Finds the commands that no test runs and no document marks, and says of each what is to be done. */
export function findUntried(
  commands: readonly DocumentCommand[],
  tried: readonly TriedCommand[],
): readonly string[] {
  const patterns = tried.map(([command]) => command.split(' '));
  return commands
    .filter(({ marked }) => !marked)
    .filter(({ command }) => !patterns.some((pattern) => isUseOf(splitWords(command), pattern)))
    .map(({ command, place }) => `${place}: ${command}: ${TODO}`);
}

/** Tells whether words are those of a pattern; without its last operands they are the command's name. */
function isUseOf(words: readonly string[], pattern: readonly string[]): boolean {
  const isSame = words.every((word, index) => word === pattern[index] || isOperand(pattern[index] ?? ''));
  return isSame && pattern.slice(words.length).every(isOperand);
}

function isOperand(word: string): boolean {
  return /^[A-Z]+$/.test(word);
}

function splitWords(command: string): readonly string[] {
  return command.match(/"[^"]*"|\S+/g) ?? [];
}
