export { findSandbox, sandboxed } from './find-sandbox.ts';
export { listCommandLines } from './observers.ts';
export { startWorkspaceBed, type WorkspaceBed } from './workspace-bed.ts';
