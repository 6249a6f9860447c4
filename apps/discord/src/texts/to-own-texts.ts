import type { Settings } from '../settings/settings-schema.ts';
import type { OwnTexts } from './choose-texts.ts';

/** The texts that the settings put in the place of ours. */
export function toOwnTexts(settings: Settings): OwnTexts {
  return {
    fallback: {
      'model-unreachable': settings.FALLBACK_UNREACHABLE ?? null,
      'model-timeout': settings.FALLBACK_TIMEOUT ?? null,
      'model-status': settings.FALLBACK_STATUS ?? null,
      'model-unreadable': settings.FALLBACK_UNREADABLE ?? null,
      'model-failed': settings.FALLBACK_FAILED ?? null,
    },
    emptyAnswer: settings.FALLBACK_EMPTY ?? null,
  };
}
