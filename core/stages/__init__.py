"""Every stage of the flow: one module, one public function, models in and models out."""
