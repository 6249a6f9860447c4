/** What a caller can tell apart, and act on. `model-unavailable`: the model could not be asked at all. */
export type PrePlanningErrorCode = 'model-unavailable';

const marker = Symbol.for('@agent/pre-planning/PrePlanningError');

/** The one error class of this package: the phase could not go on, and can be called again with the state kept. */
export class PrePlanningError extends Error {
  readonly code: PrePlanningErrorCode;

  constructor(code: PrePlanningErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.name = 'PrePlanningError';
    this.code = code;
    Object.defineProperty(this, marker, { value: true });
  }

  /** Recognises errors of every installed copy of this package. */
  static isInstance(value: unknown): value is PrePlanningError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[marker] === true;
  }
}
