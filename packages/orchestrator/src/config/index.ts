export { type RunSettings, runSettingsShape } from './run-settings.ts';
