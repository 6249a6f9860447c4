import type { Locale } from '@agent/text';
import type { ForbiddenCategory } from './forbidden/forbidden-words.ts';

/** Why something stays a gap. */
export interface AssumptionTexts {
  readonly forbidden: (category: ForbiddenCategory) => string;
  readonly notAssumable: string;
  readonly lowConfidence: (percent: number) => string;
  readonly noAnswer: string;
  /** In place of a reason that speaks of what is never assumed. */
  readonly withheld: string;
  readonly disabled: string;
  readonly notCollected: string;
  /** Its tool does not only read. */
  readonly withheldTool: string;
  /** Between two reasons. */
  readonly separator: string;
  readonly rejected: (reason: string) => string;
  readonly rejectedConstraint: (value: string, wanted: string, reason: string) => string;
}

const ja: AssumptionTexts = {
  forbidden: (category) => `推測不可: ${categories.ja[category]}`,
  notAssumable: '推測不可',
  lowConfidence: (percent) => `推測の確信度が不足しています (${percent}%)`,
  noAnswer: '推測できませんでした',
  withheld: '推測不可の項目に触れているため省略',
  disabled: '推測は無効です',
  notCollected: '情報収集は無効です',
  withheldTool: '準備中は読み取り専用のツールだけを実行します',
  separator: '。',
  rejected: (reason) => `推測は却下されました${reason === '' ? '' : `: ${reason}`}`,
  rejectedConstraint: (value, wanted, reason) =>
    `「${wanted}」を「${value}」と推測してはいけません${reason === '' ? '' : ` (${reason})`}`,
};

const en: AssumptionTexts = {
  forbidden: (category) => `must not be assumed: ${categories.en[category]}`,
  notAssumable: 'must not be assumed',
  lowConfidence: (percent) => `the assumption is not sure enough (${percent}%)`,
  noAnswer: 'nothing could be assumed',
  withheld: 'left out: it speaks of something that must not be assumed',
  disabled: 'assuming is switched off',
  notCollected: 'collecting is switched off',
  withheldTool: 'only tools that read are run while getting ready',
  separator: '; ',
  rejected: (reason) => `the assumption was rejected${reason === '' ? '' : `: ${reason}`}`,
  rejectedConstraint: (value, wanted, reason) =>
    `Do not assume "${value}" for "${wanted}"${reason === '' ? '' : ` (${reason})`}`,
};

const categories: Readonly<Record<Locale, Readonly<Record<ForbiddenCategory, string>>>> = {
  ja: {
    security: 'セキュリティに関わる設定',
    credentials: '認証情報',
    database: 'データベース接続',
    environment: '環境固有の設定',
    'personal-data': '個人を特定できる情報',
  },
  en: {
    security: 'security settings',
    credentials: 'credentials',
    database: 'database connections',
    environment: 'settings of an environment',
    'personal-data': 'personal data',
  },
};

export const assumptionTexts: Readonly<Record<Locale, AssumptionTexts>> = { ja, en };
