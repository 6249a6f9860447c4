/** Longer outputs are contents, whatever words are in them. */
const maxChars = 200;

const things =
  'match(?:es|ing)?|results?|hits?|files?|entries|items?|records?|documents?|issues?|threads?|occurrences?|pages?|data|output|content';
const named = '(?:"[^"]{1,150}"|\'[^\']{1,150}\'|`[^`]{1,150}`|(?!\\S*:\\d+:)[^\\s"\'`=(){}]{1,150})';
const kinds =
  'file|path|directory|folder|page|resource|repository|branch|issue|thread|document|object|entry|key|symbol|record|module|package|user';

/** Sentences of tools that looked and found nothing; each is the whole output, or it is contents. */
const sentences: readonly RegExp[] = [
  new RegExp(
    `^(?:sorry, )?(?:there (?:are|is|were|was) )?(?:no|0|zero) (?:[a-z]+ ){0,3}(?:${things})(?: (?:was|were|is|are))?(?: (?:found|matched|match|available))?(?: (?:for|in|matching|with|of) .+)?$`,
  ),
  /^nothing (?:was )?(?:found|matched|to show)(?: (?:for|in) .+)?$/,
  new RegExp(
    `^(?:error: ?)?(?:(?:the|a|an|requested|specified|given|no) )*(?:(?:${kinds})s?(?:: ?| )?)?(?:${named} )?(?:(?:was|is|were|could) )?(?:not (?:be )?found|do(?:es)? not exist|does ?n[o']t exist)(?:(?: (?:in|at|under)|:) .+)?$`,
  ),
  /^(?:\S+:? ){0,4}no such (?:file|directory|path|page|object|key|table|column|command|issue|branch|revision)\b.*$/,
  /^(?:(?:http|error|status)(?: code)?:? ?){0,2}404(?:[ :-]+not found)?(?:[:,-] .+)?$/,
  // Those of the daemon's own tools and of what renders MCP answers there.
  new RegExp(
    `^(?:the (?:file|directory|folder) |${named} )is empty$|^${named} has only \\d+ lines$|^\\(?no output\\)?$`,
  ),
  /^[^。、\n]{0,80}(?:見つかりません|見つかりませんでした|存在しません|存在しませんでした)$/,
  /^(?:検索)?(?:結果|該当|一致|ヒット)[^。、\n]{0,30}(?:なし|0 ?件|ゼロ|ありません|ありませんでした)$|^(?:データ|項目|ファイル|何)(?:は|が|も)(?:ありません|ありませんでした)$|^(?:0 ?件|該当なし)$/,
];

/** Whether an output says, and says nothing else, that there is nothing. @see decision E4 */
export function isNotFound(output: string): boolean {
  const sentence = output.trim();
  if (sentence.length > maxChars || /[\r\n]/.test(sentence)) return false;
  const plain = sentence.replace(/[.!。！]+$/, '').toLowerCase();
  return sentences.some((pattern) => pattern.test(plain));
}
