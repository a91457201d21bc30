"""Calculators that a simulation asks for the forces at each of its steps."""

from ase.calculators.calculator import Calculator


class Learned(Calculator):
    def __init__(self, models, device):
        super().__init__()
        self.models = [each.to(device) for each in models]

    def calculate(self, atoms=None, properties=None, system_changes=()):
        batch = self.convert(atoms)
        energy = self.models[0](batch)["energy"]
        self.results["energy"] = energy.detach().cpu().item()  # frequency: every step

    def convert(self, atoms):
        return atoms.positions.mean().item()  # frequency: every step


class Unrelated:
    def calculate(self, atoms=None):
        return self.model(atoms).mean().item()  # frequency: every step (assumed)
