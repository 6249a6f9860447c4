import { findFences } from '@agent/text';

/** Scripts that put no spaces between words: there a keyword may stand anywhere. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Characters that a word of the other scripts goes on with; a keyword ends where Japanese begins ("doneです"). */
const wordCharacter = '[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Nd}_]';

/**
 * Makes the test for comments that say a task is done. Text and keywords are compared after NFKC and in lower
 * case; ASCII keywords stand as words of their own, Japanese ones anywhere. What is quoted or stands in fenced
 * code is not read; what is denied, asked, wished or a condition ("not done", "when done", 未完了, 完了したら) says nothing
 * of the kind. Blank keywords are ignored.
 *
 * @see decision A6
 */
export function createCompletionTest(keywords: readonly string[]): (body: string) => boolean {
  const patterns = keywords
    .map(normalize)
    .filter((keyword) => keyword !== '')
    .map(toPattern);
  if (patterns.length === 0) return () => false;
  const anyKeyword = new RegExp(patterns.join('|'), 'gu');
  return (body) => {
    const words = normalize(toOwnWords(body));
    for (const { 0: keyword, index } of words.matchAll(anyKeyword))
      if (isStated(words, { start: index, end: index + keyword.length })) return true;
    return false;
  };
}

const clauseReach = 80;

const clauseEnd = /[.!?;,:。！？；、，：]/u;

const deniedBefore =
  /(?<![\p{L}])(?:not|never|nothing|nobody|no|cannot|hardly|barely|failed|unable|without|when|once|if|until|unless|before|after|almost|nearly|half|partly)(?![\p{L}])|n['’]t(?![\p{L}])|(?<![\p{L}])(?:be|get|getting) $|(?<![\p{L}])un-$|\[ ?\][^[\]]*$|[未不非][ ・]?$|まだ[^。、]{0,12}$/u;

/** Signs that end a statement, whatever follows it: "完了しましたが、問題ない". */
const statedAfter =
  /^(?:を|が)?(?:(?:いた|致)?しまし|し|されまし|され|させまし|させ|済|ずみ|でし|です)(?:た|み|(?<=です|済))(?![かなならばりい場後時とこわけ])/u;

const deniedAfter =
  /^(?:[^。、.!?\s]{0,8}(?:ない|ませ|なかっ|ねば|ず(?!み)|たら|れば|た場合|次第|まで|予定|後に|前|待ち|至ら|たい|べき|かどうか|かな|ですか|でしょうか|ましたか)|(?:さ|さ?せ|し)て(?:くだ|下さ|ほし|欲し|もら|$|[。!])|率|目標|期限|条件|基準|見込| ?[:=] ?(?:no|not|false|いいえ|未|まだ|×|❌)(?![\p{L}]))/u;

/** Says whether a keyword is said of what is, in its clause. */
function isStated(words: string, { start, end }: { readonly start: number; readonly end: number }): boolean {
  const before =
    words
      .slice(Math.max(0, start - clauseReach), start)
      .split(clauseEnd)
      .at(-1) ?? '';
  const after = words.slice(end, end + clauseReach);
  const ending = clauseEnd.exec(after)?.[0] ?? '';
  if (/[?？]/u.test(ending) || deniedBefore.test(before)) return false;
  return statedAfter.test(after) || !deniedAfter.test(after);
}

function normalize(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

function toPattern(keyword: string): string {
  const literal = keyword.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  if (unspaced.test(keyword)) return literal;
  const isWord = new RegExp(wordCharacter, 'u');
  const before = isWord.test(keyword.slice(0, 1)) ? `(?<!${wordCharacter})` : '';
  const after = isWord.test(keyword.slice(-1)) ? `(?!${wordCharacter})` : '';
  return `${before}${literal}${after}`;
}

/** Leaves out of a body all that its author quotes. */
function toOwnWords(body: string): string {
  let reached = 0;
  let words = '';
  for (const { start, end } of findFences(body)) {
    words += body.slice(reached, Math.max(reached, start));
    reached = Math.max(reached, end);
  }
  const quoted = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*>/;
  return (words + body.slice(reached))
    .split(/\r\n|[\n\r]/)
    .filter((line) => !quoted.test(line))
    .join('\n');
}
