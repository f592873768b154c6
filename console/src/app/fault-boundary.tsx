import { Component, type ReactNode } from "react";
import { Failure } from "#console/ui/states/failure.js";

interface State {
  readonly error: Error | undefined;
}

/** Confines a rendering error to one part of the page. */
export class FaultBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <Failure error={error} retry={() => this.setState({ error: undefined })} />;
  }
}
