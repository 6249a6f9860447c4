/** Longer outputs are contents, whatever words are in them. */
const maxChars = 200;

const things =
  'match(?:es|ing)?|results?|hits?|files?|entries|items?|records?|rows?|lines?|documents?|issues?|threads?|occurrences?|pages?|data|output|content';
const kinds =
  'file|path|directory|folder|page|resource|repository|branch|issue|thread|document|object|entry|key|symbol|record|module|package|user';
/** What was looked for, in quotes or as one word; a place in a file that a search found is none. */
const named = '(?:"[^"]{1,150}"|\'[^\']{1,150}\'|`[^`]{1,150}`|(?!\\S*:\\d+:)[^\\s"\'`=(){}]{1,150})';
const subject = `(?:(?:the|a|an|requested|specified|given|no) )*(?:(?:${kinds})s?(?:: ?| )?(?:you (?:requested|asked for) )?)?(?:${named} )?`;
const gone = "(?:not (?:be )?found|do(?:es)? not exist|does ?n[o']t exist)";
/** What says where it is instead is an answer. */
const where = String.raw`(?:(?: (?:in|at|under|for)|:) (?!.*\b(?:but|instead|moved)\b).+)?`;

/** Sentences of tools that looked and found nothing; each is the whole output, or it is contents. */
const sentences: readonly RegExp[] = [
  `(?:there (?:are|is|were|was) )?(?:no|0|zero) (?:[a-z]+ ){0,3}(?:${things})(?: (?:was|were|is|are))?(?: (?:found|matched|match|available))?(?: (?:for|in|matching|with|of) .+)?`,
  `nothing (?:was )?(?:found|matched|to show)${where}`,
  `(?:error: ?)?${subject}(?:(?:was|is|were|could) )?${gone}${where}`,
  "(?:we )?(?:could not|couldn't|did not|didn't) find any.*",
  '(?:could not|cannot|unable to) (?:find|locate|open)(?: \\S+){1,4}',
  `.{1,120} did not match any (?:${things})`,
  '(?:\\S+:? ){0,4}no such (?:file|directory|path|page|object|key|table|column|command|issue|branch|revision)\\b.*',
  '(?:(?:http|error|status)(?: code)?:? ?){0,2}404(?:[ :-]+not found)?(?:[:,-] .+)?',
  // Those of the daemon's own tools, and of what renders MCP answers there.
  `(?:the (?:file|directory|folder) |${named} )is empty|${named} has only \\d+ lines|\\(?no output\\)?`,
  '[^。、]{0,80}(?:見つかりません|存在しません)(?:でした)?',
  '(?:検索)?(?:結果|該当|一致|ヒット)[^。、]{0,30}(?:なし|0 ?件|ゼロ|ありません|ありませんでした)',
  '(?:データ|項目|ファイル|何)[はがも]ありません(?:でした)?|0 ?件|該当なし',
].map((sentence) => new RegExp(`^(?:sorry, )?(?:${sentence})$`));

/** Whether an output says, and says nothing else, that there is nothing. @see decision E4 */
export function isNotFound(output: string): boolean {
  const sentence = output.trim();
  if (sentence.length > maxChars || /[\r\n]/.test(sentence)) return false;
  const plain = sentence.replace(/(?<![.!。！])[.!。！]+$/, '').toLowerCase();
  return sentences.some((pattern) => pattern.test(plain));
}
