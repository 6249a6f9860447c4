/** Words that begin or join code and not phrases. */
const codeWords =
  /^(?:const|let|var|function|def|class|import|export|from|new|return|type|interface|async|await|public|private|static|fn|func|select|where|=|=>)$/i;
const plainWord = /^["'(]?\p{Lu}?(?:\p{Ll}+|\p{Lo}[\p{L}\p{M}ー]*)(?:['’]s)?[)"',.?!:;]*$/u;
/** Particles that join words to a phrase of Japanese. */
const isJapanesePhrase =
  /[\p{Script=Han}\p{Script=Katakana}ー\w][のをはと][\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}A-Za-z]/u;
const isAcronym = /^(?:API|ID|URL|DB|SQL|SSH|TLS|SSL|CORS|PIN|JWT|IAM|OTP|DSN)s?$/;

/**
 * What a parameter of a tool says in words; empty where it only names code. Whoever searches for `validatePassword` or
 * reads `src/auth/config.ts` asks for no password.
 */
export function toPhrase(text: string): string {
  const tokens = text.split(/\s+/u).filter((token) => token !== '');
  const words = tokens.filter(
    (token) => plainWord.test(token) || isAcronym.test(token) || isJapanesePhrase.test(token),
  );
  if (tokens.some((token) => codeWords.test(token))) return '';
  const isPhrase = words.length > 1 || words.some((word) => isJapanesePhrase.test(word));
  return isPhrase ? words.join(' ') : '';
}
