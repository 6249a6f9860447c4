/** Says that a person paused or stopped a run while it got ready: its conversation has not begun. */
export class PrePlanningInterrupted extends Error {
  readonly status: 'paused' | 'stopped';

  constructor(signal: 'pause' | 'stop') {
    super(`The run was told to ${signal} before its first step.`);
    this.name = 'PrePlanningInterrupted';
    this.status = signal === 'pause' ? 'paused' : 'stopped';
  }
}
