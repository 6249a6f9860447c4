/** What is never assumed. @see seed 004 §6.4.1 */
export type ForbiddenCategory = 'security' | 'credentials' | 'database' | 'environment' | 'personal-data';

export interface ForbiddenWords {
  readonly category: ForbiddenCategory;
  /** For words of English, as `toWords` gives them. */
  readonly english: RegExp;
  /** For Japanese without spaces. */
  readonly japanese: RegExp;
}

const protections =
  'auth|authentication|authorization|access control|permissions?|cors|csrf|tls|ssl|firewall|encryption|sandbox';
const settings = 'settings?|config|configurations?|options?|policy|policies|rules?|levels?|parameters?';
const stores =
  'database|db|postgres|postgre sql|postgresql|my sql|mysql|mongo|mongo db|mongodb|redis|sql server|oracle';

/** Whole words and rows of words, never parts of words: a tokenizer is no token. @see decision E7 */
export const forbiddenWords: readonly ForbiddenWords[] = [
  {
    category: 'credentials',
    english:
      /\b(?:pass ?words?|passwd|pwd|pass ?phrases?|pass ?codes?|secrets?|credentials?|api ?keys?|(?:access|account|client|deploy|encryption|gpg|license|master|pgp|private|secret|service|session|signing|ssh) ?keys?|pin codes?|recovery codes?|one time codes?|login (?:data|details|information|names?)|auth ?tokens?|access ?tokens?)\b|(?<!\b(?:max|maximum|input|output|prompt|completion|context|design|lexer|parser|syntax) )\btokens?\b(?! (?:counts?|limits?|budgets?|usage|estimates?)\b)/,
    japanese:
      /パスワード|パスフレーズ|暗証番号|認証(?:情報|キー)|資格情報|クレデンシャル|シークレット|秘密(?:鍵|情報|の質問)|機密|(?:api|アクセス|ssh|署名|暗号|秘密|ライセンス)(?:キー|鍵)|トークン(?!化|数|上限|の上限|制限|あたり)|ログイン(?:情報|id)/,
  },
  {
    category: 'database',
    english: new RegExp(
      `\\b(?:connection (?:strings?|urls?|uris?|settings?|parameters?)|(?:${stores}) (?:urls?|uris?|connections?|hosts?|users?|names?|ports?|servers?|address(?:es)?)|dsn|jdbc|odbc)\\b`,
    ),
    japanese:
      /接続文字列|(?:データベース|db)(?:の|への)?(?:接続|ホスト|url|ユーザ|名)|接続(?:情報|先|設定)|データソース名/,
  },
  {
    category: 'environment',
    english:
      /\b(?:environment ?variables?|env ?vars?|dot ?env|env|environment (?:specific|settings?|configurations?|config|values?)|(?:production|prod|staging) (?:environment|settings?|urls?|hosts?|servers?|databases?|config|configuration|endpoints?|domains?|values?)|host ?names?|ip address(?:es)?|server address(?:es)?|port numbers?|deployment (?:targets?|environments?|settings?|urls?)|(?:base|endpoint|server|service|webhook) urls?)\b/,
    japanese:
      /環境変数|環境(?:固有|依存|設定|ごと|別)|(?:本番|ステージング|検証)環境|ホスト名|ipアドレス|ポート番号|サーバー?の?(?:アドレス|url|名)|デプロイ先/,
  },
  {
    category: 'personal-data',
    english:
      /\b(?:pii|personal (?:data|information|details|names?)|personally identifiable|(?:e ?mail|mail|home|postal|street) address(?:es)?|(?:phone|telephone|mobile|fax) numbers?|dates? of birth|birth ?days?|birth ?dates?|social security|ssn|passports?|credit cards?|bank accounts?|account numbers?|(?:full|real|legal|customer|patient|employee) names?|medical records?)\b/,
    japanese:
      /個人(?:情報|番号|を特定)|メールアドレス|(?:電話|携帯|口座|免許証)番号|住所|氏名|本名|実名|生年月日|誕生日|マイナンバー|クレジットカード|パスポート|顧客名/,
  },
  {
    category: 'security',
    english: new RegExp(
      `\\bsecurity\\b|\\bcertificates?\\b|\\b(?:${protections})(?: \\w+){0,2} (?:${settings})\\b|\\b(?:${settings})(?: \\w+){0,2} (?:${protections})\\b`,
    ),
    japanese:
      /セキュリティ|認証(?:の)?(?:設定|方式)|認可|アクセス(?:権|制御|許可)|権限の?設定|暗号化|証明書|ファイア?ウォール/,
  },
];
