// What is loaded when it is first wanted: for <Later load={…}> and beforehand().
import { locale } from '../lib/lang.svelte'

/** A part with texts of its own. */
const withTexts = <Part>(part: Promise<Part>): Promise<Part> => Promise.all([part, locale.whole()]).then(([loaded]) => loaded)

export const breakIn = () => import('./BreakIn.svelte')
export const confirm = () => import('./Confirm.svelte')
export const declare = () => import('./Declare.svelte')
export const deedDialog = () => import('./DeedDialog.svelte')
export const effectDialog = () => import('./EffectDialog.svelte')
export const importDialog = () => withTexts(import('./ImportDialog.svelte'))
export const keysDialog = () => withTexts(import('./KeysDialog.svelte'))
export const moveDialog = () => import('./MoveDialog.svelte')
export const optionsDialog = () => withTexts(import('./OptionsDialog.svelte'))
export const preparedDialog = () => withTexts(import('./PreparedDialog.svelte'))
export const seatMenu = () => import('./SeatMenu.svelte')
export const seatsDialog = () => import('./SeatsDialog.svelte')
export const shareDialog = () => import('./ShareDialog.svelte')
export const sheetDialog = () => import('./SheetDialog.svelte')
