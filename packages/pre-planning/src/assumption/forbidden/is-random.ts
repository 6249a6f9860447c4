/**
 * Whether a run of letters and digits is drawn by chance rather than named: it has digits and both cases, and they take
 * turns so often that no words fit between. `CreateUserAccountRequestHandlerV2` is a name. What is written as a file's
 * path or a branch has many short words: only a long part of it can be drawn by chance.
 */
export function isRandom(run: string): boolean {
  if (!place.test(run)) return isMixed(run.split('.', 1).join(''));
  return run.split(/[/_.-]/).some((part) => part.length >= leastSecretLength && isMixed(part));
}

const extensions =
  '[cm]?[jt]sx?|json[5c]?|ya?ml|toml|md|mdx|txt|html?|s?css|less|vue|svelte|py|rb|go|rs|java|kts?|swift|cs|php|sql|sh|xml|svg|snap|lock';
const place = new RegExp(
  `/.*\\.(?:${extensions})$|^(?:feat|feature|features|fix|bug|bugfix|hotfix|release|chore|docs|refactor|test|ci|task|issue|topic|support)/`,
);
/** Of a part of a path; shorter ones are too common as names. */
const leastSecretLength = 16;

function isMixed(run: string): boolean {
  if (!(/\d/.test(run) && /[A-Z]/.test(run) && /[a-z]/.test(run))) return false;
  const parts = run.split(/[/_+-]/).filter((part) => part.length > 2);
  const pieces = parts.flatMap((part) => part.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []);
  const letters = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return letters / pieces.length < leastNameLength;
}

/** Of the pieces of a name, on average; those of random text have fewer than 2. */
const leastNameLength = 2.6;
