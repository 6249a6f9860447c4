/** Fault of the settings for which there is a remedy of its own. */
export type ModelSettingsFault = 'no-model' | 'no-address' | 'key-not-set' | 'package-missing' | 'module';

/** Facts of a `ModelSettingsError` beside what is wrong. */
export interface ModelSettingsErrorOptions extends ErrorOptions {
  /** Sentence that says what to do. It ends the message. */
  readonly remedy?: string | undefined;
  readonly fault?: ModelSettingsFault | undefined;
}

/** Settings with which no model can be called. The message is for the person who wrote them: what is wrong, and what to do. */
export class ModelSettingsError extends Error {
  readonly code = 'model-settings';
  /** The message without its remedy. */
  readonly problem: string;
  /** Null for a fault whose remedy is in `problem`. */
  readonly fault: ModelSettingsFault | null;

  constructor(problem: string, { remedy, fault, ...options }: ModelSettingsErrorOptions = {}) {
    super(remedy === undefined ? problem : `${problem} ${remedy}`, options);
    this.name = 'ModelSettingsError';
    this.problem = problem;
    this.fault = fault ?? null;
  }
}
