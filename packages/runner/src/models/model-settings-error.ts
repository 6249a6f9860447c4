/** Settings with which no model can be asked. The message is for whoever wrote them: what is wrong, and what to do. */
export class ModelSettingsError extends Error {
  readonly code = 'model-settings';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ModelSettingsError';
  }
}
