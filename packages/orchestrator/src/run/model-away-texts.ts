import type { Locale } from '@agent/text';

/** Texts that a thread reads while the model of its run is away. */
export interface ModelAwayTexts {
  readonly isAway: string;
  readonly isBack: string;
}

export const modelAwayTexts: Readonly<Record<Locale, ModelAwayTexts>> = {
  ja: {
    isAway:
      '⏳ モデルに10分以上問い合わせできないため、このタスクは待機しています。モデルが応答するようになれば、続きから自動的に再開します。何もする必要はありません。',
    isBack: '▶️ モデルに再び問い合わせできるようになったため、このタスクは続きから再開しました。',
  },
  en: {
    isAway:
      '⏳ The model has not been available for more than 10 minutes, so this task waits. It goes on by itself from where it is as soon as the model answers; nothing needs to be done here.',
    isBack: '▶️ The model is available again, and this task has gone on from where it was.',
  },
};
