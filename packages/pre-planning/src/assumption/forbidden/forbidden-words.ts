/** Kind of information that is never assumed. @see seed 004 §6.4.1 */
export type ForbiddenCategory = 'security' | 'credentials' | 'database' | 'environment' | 'personal-data';

interface ForbiddenWords {
  readonly category: ForbiddenCategory;
  /** For words of English, as `toReadings` gives them. */
  readonly english: RegExp;
  /** For Japanese without spaces. */
  readonly japanese: RegExp;
  /** For the text as it is written, where a word in lower case would be another. */
  readonly asWritten?: RegExp;
}

/** Whole words, in rows that are joined with "or". */
function words(...rows: readonly string[]): RegExp {
  return new RegExp(`\\b(?:${rows.join('|')})\\b`);
}

function parts(...rows: readonly string[]): RegExp {
  return new RegExp(rows.join('|'));
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
    english: words(
      '(?:db|user|root|admin)?pass ?words?|passwd|pwd|pass ?phrases?|pass ?codes?|(?:app|client|webhook)?secrets?|credentials?|(?:access|api|auth|id|refresh|session)?tokens?|bearers?',
      'api ?keys?|(?:access|account|client|deploy|encryption|gpg|license|master|pgp|private|secret|service|session|signing|ssh) ?keys?',
      'id (?:rsa|dsa|ecdsa|ed ?25519)|kube ?config|service accounts?|login (?:data|details|information|names?)',
      'pin (?:codes?|numbers?)|(?:card|user|customer|sim|access|bank)(?: s)? pins?(?! (?:on|in|at) (?:the|a) (?:\\w{1,20} )?(?:map|board|chart|page)s?\\b)|otps?|totp|one time codes?|2 ?fa|mfa|(?:two|multi) factor codes?',
      '(?:seed|recovery|mnemonic|backup) (?:phrases?|words?|codes?)',
    ),
    japanese: parts(
      'パスワード|パスフレーズ|パスコード|(?<![a-z])pinコード|ピンコード|暗証番号|ワンタイムコード|認証(?:情報|キー|コード)|(?:二|2)(?:要素|段階)認証',
      '資格情報|クレデンシャル|シークレット|秘密(?:鍵|情報|の質問)|機密|トークン|ベアラー|セッションid|(?:シード|リカバリー)フレーズ',
      '(?:api|アクセス|ssh|署名|暗号|秘密|ライセンス|サービス)(?:の)?(?:キー|鍵)|ログイン(?:情報|id)|サービスアカウント',
      'クライアントの?シークレット',
    ),
    // One pins a version.
    asWritten: /(?<![A-Za-z0-9_])PINs?(?![A-Za-z0-9])/,
  },
  {
    category: 'database',
    english: words(
      'connection (?:strings?|urls?|uris?|settings?|parameters?)|dsn|jdbc|odbc',
      `(?:${stores}) (?:urls?|uris?|connections?|hosts?|users?|names?|ports?|servers?|address(?:es)?)`,
    ),
    japanese: parts(
      '接続文字列|接続(?:情報|先|設定)|データソース名',
      '(?:データベース|db)(?:の|への)?(?:接続|ホスト|サーバー?|設定|url|ユーザ|名)',
    ),
  },
  {
    category: 'environment',
    english: words(
      'environment ?variables?|env ?vars?|dot ?env|env|environment (?:specific|settings?|configurations?|config|values?)',
      '(?:production|prod|staging) (?:environment|settings?|urls?|hosts?|servers?|databases?|config|configuration|endpoints?|domains?|values?)',
      'host ?names?|ip address(?:es)?|server address(?:es)?|port numbers?|deployment (?:targets?|environments?|settings?|urls?)',
      '(?:base|endpoint|server|service|webhook) urls?',
    ),
    japanese: parts(
      '環境変数|環境(?:固有|依存|ごと|別)|環境の?設定|検証環境|ホスト名|ipアドレス|ポート番号|デプロイ先',
      '(?:本番|ステージング|プロダクション)(?:用|系)?の?(?:環境|url|サーバー?|ホスト|db|データベース|ドメイン|エンドポイント|アドレス|設定|接続)',
      'サーバー?の?(?:アドレス|url|名)',
    ),
  },
  {
    category: 'personal-data',
    english: words(
      'pii|personal (?:data|information|details|names?)|personally identifiable|dates? of birth|birth ?days?|birth ?dates?|medical records?',
      '(?:e ?mail|mail|home|postal|street) address(?:es)?|(?:phone|telephone|mobile|fax) numbers?|social security|ssn|passports?',
      'credit cards?|card numbers?|bank accounts?|account numbers?|ibans?|(?:full|real|legal|customer|patient|employee) names?|customer data',
    ),
    japanese: parts(
      '個人(?:情報|番号|名|データ|を特定)|メールアドレス|(?:電話|携帯|免許証|カード)番号|口座|住所|氏名|本名|実名|生年月日|誕生日|マイナンバー',
      'クレジットカード|パスポート|顧客(?:名|データ|情報|リスト)|メアド',
    ),
  },
  {
    category: 'security',
    english: words(
      'security|certificates?|iam',
      `(?:${protections})(?: \\w{1,30}){0,2} (?:${settings})|(?:${settings})(?: \\w{1,30}){0,2} (?:${protections})`,
    ),
    japanese: parts(
      'セキュリティ|認証の?方式|認可|アクセス(?:権|制御|許可)|パーミッション|暗号化|証明書|ファイア?ウォール|(?<![a-z])iam(?![a-z])',
      '(?:cors|csrf|ssl|tls|o ?auth|saml|sso|認証|サンドボックス)(?:の|に関する)?(?:設定|構成|ポリシー|レベル|ルール)',
    ),
  },
];

/** Words that name a column as often as what stands in it: whether they count is said by what is next to them. */
interface RequestTerms {
  readonly category: ForbiddenCategory;
  /** Matches a question for the thing itself; for words of English, as `toReadings` gives them. */
  readonly english: RegExp;
  readonly japanese: RegExp;
  /** Matches a value that tells the thing itself. */
  readonly disclosedEnglish: RegExp;
  readonly disclosedJapanese: RegExp;
}

const requestedNames = '(?:user|account) ?names?|client ids?|public keys?|cookies?|jwts?';
const owners =
  'accounts?|admin|administrators?|root|users?|customers?|clients?|servers?|services?|apps?|applications?|owners?|databases?|sessions?|production|staging';
/** The end of a question, or a word that asks for what a thing holds. */
const requestEnd = [
  '(?: zz zz zz|$)',
  ' (?:values?|lists?|settings?)\\b',
  ' (?:to (?:use|log|sign|connect)|used (?:to|for|by))\\b',
  ' for (?:signing|verif\\w{1,10}|encrypti\\w{1,5}|login|production|staging)\\b',
  ` of (?:(?:the|a|an|our|each|every|its) )?(?:\\w{1,30} ){0,2}(?:${owners})\\b`,
].join('|');
const columnTypes =
  'unique|required|optional|mandatory|indexed|sorted|stored|shown|used|unused|validated|checked|read|set|displayed|not|null|nullable|empty|case|limited|at|kept|parsed|signed|a|an|the|from|in|of|on|shared|string|text|varchar|char|number|integer|uuid';
const disclosure = `(?:user ?names?|client ids?|account names?) (?:is|are) (?!(?:${columnTypes})\\b)[a-z0-9]`;

const namesJapanese =
  'ユーザー?の?名(?!前空間)|アカウント名|クライアントの?id(?![a-z])|(?:公開|共通)鍵|クッキー';
const requestEndJapanese =
  'zz zz zz|$|は何|か$|の?(?:値|設定|付与|リスト|範囲|レベル|内容|情報)|の?一覧(?!表示|画面|ページ)|を(?:教え|知る|確認)';
const disclosedJapanese = `(?:ユーザー?の?名|アカウント名|クライアントの?id)は(?!(?:${columnTypes})(?![a-z]))[a-z0-9]`;

/** @see decision E7 */
export const requestTerms: readonly RequestTerms[] = [
  {
    category: 'credentials',
    english: new RegExp(
      `\\b(?<!\\b(?:by|per|unique|no) )(?:${requestedNames})(?=${requestEnd})|\\bjwts? (?:are |is )?(?:signed|signing|verified)\\b|\\b${disclosure}`,
    ),
    japanese: new RegExp(`(?:${namesJapanese})(?=${requestEndJapanese})|${disclosedJapanese}`),
    disclosedEnglish: new RegExp(`\\b${disclosure}|\\b(?:${requestedNames}) values?\\b`),
    disclosedJapanese: new RegExp(`${disclosedJapanese}|(?:${namesJapanese})の?値`),
  },
  {
    category: 'security',
    // Of English, `permissions` beside settings stands among the words that always count.
    english: /\bpermissions? (?:of|for) (?:the )?(?:\w{1,30} )?(?:account|user|role|token|admin)s?$/,
    japanese: new RegExp(`権限(?=${requestEndJapanese})`),
    disclosedEnglish: /\bpermissions? (?:is|are) (?:read|write|admin|granted|full)\b/,
    disclosedJapanese: /権限(?:は|の?(?:設定|付与|レベル)|を[^、。]{0,6}付与)/,
  },
];
