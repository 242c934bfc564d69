// The message of a view that could not be drawn, in its place: the rest of the viewer goes on.

import { Component, type ReactNode } from 'react'
import { messageOf } from '../../common/errors.ts'

interface ErrorBoundaryState {
  readonly error?: unknown
}

export class ErrorBoundary extends Component<{ readonly children: ReactNode }, ErrorBoundaryState> {
  override state: ErrorBoundaryState = {}

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { error }
  }

  override render(): ReactNode {
    if (!('error' in this.state)) return this.props.children
    return (
      <p role="alert" className="error">
        This view could not be drawn: {messageOf(this.state.error)}
      </p>
    )
  }
}
