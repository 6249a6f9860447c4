/** Every text of `--help`, in one language. */
export interface HelpTexts {
  readonly titles: Readonly<Record<string, string>>;
  readonly program: string;
  readonly afterError: string;
  readonly help: string;
  readonly helpCommand: string;
  readonly examples: string;
  readonly config: string;
  readonly json: string;
  readonly run: string;
  readonly once: string;
  readonly noLive: string;
  readonly logFormat: string;
  readonly pause: string;
  readonly pauseExamples: string;
  readonly resume: string;
  readonly resumeExamples: string;
  readonly stop: string;
  readonly stopExamples: string;
  readonly task: string;
  readonly all: string;
  readonly stopAll: string;
  readonly status: string;
  readonly show: string;
  readonly showRun: string;
  readonly doctor: string;
  readonly doctorExamples: string;
  readonly noModel: string;
  readonly init: string;
  readonly initExamples: string;
  readonly initPlatform: string;
  readonly initRepository: string;
  readonly initBaseUrl: string;
  readonly initPreset: string;
  readonly initModel: string;
  readonly initLlmUrl: string;
  readonly initApi: string;
  readonly initForce: string;
  readonly initYes: string;
}

/** The texts of a language; only that language is loaded. */
export async function loadHelpTexts(locale: 'ja' | 'en'): Promise<HelpTexts> {
  return locale === 'ja' ? (await import('./help-ja.ts')).helpJa : (await import('./help-en.ts')).helpEn;
}
